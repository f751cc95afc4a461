import { expect, test } from 'vitest'
import { FULL, QUICK } from './bench.ts'
import { readOptions } from './options.ts'

test('without options everything is measured but the peers', () => {
  expect(readOptions([])).toMatchObject({
    ...{ scale: FULL, only: undefined, withPeers: false, isPostgres: false, text: '' },
  })
  expect(readOptions(['--quick']).scale).toEqual(QUICK)
})

test('other sizes hold for every row that has sizes, and never bring larger ones', () => {
  const { scale, text } = readOptions(['--sizes', '10000,20000'])
  expect(scale.sizes).toEqual([10_000, 20_000])
  expect(scale.peerSizes).toEqual([10_000, 20_000])
  expect(Math.max(...scale.recallSizes, ...scale.severalSizes)).toBeLessThanOrEqual(20_000)
  expect(text).toBe('--sizes 10000,20000')
})

test('what is no number or no option stops it', () => {
  expect(() => readOptions(['--sizes', '10000,many'])).toThrow('many')
  expect(() => readOptions(['--memories', '0'])).toThrow('above 0')
  expect(() => readOptions(['--fast'])).toThrow()
})
