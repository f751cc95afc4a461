import { expect, test } from 'vitest'
import { FULL, QUICK } from './bench.ts'
import { readOptions } from './options.ts'

const ROWS = ['store-search', 'recall']

test('without options everything is measured but the peers', () => {
  expect(readOptions([], ROWS)).toMatchObject({
    scale: FULL,
    only: undefined,
    withPeers: false,
    isPostgres: false,
    text: '',
  })
  expect(readOptions(['--quick'], ROWS).scale).toEqual(QUICK)
})

test('other sizes hold for every row that has sizes, and never bring larger ones', () => {
  const { scale, text } = readOptions(['--sizes', '10000,20000'], ROWS)
  expect(scale.sizes).toEqual([10_000, 20_000])
  expect(scale.peerSizes).toEqual([10_000, 20_000])
  expect(Math.max(...scale.recallSizes, ...scale.severalSizes)).toBeLessThanOrEqual(20_000)
  expect(text).toBe('--sizes 10000,20000')
})

test('what is no number or no option stops it', () => {
  expect(() => readOptions(['--sizes', '10000,many'], ROWS)).toThrow('many')
  expect(() => readOptions(['--memories', '0'], ROWS)).toThrow('above 0')
  expect(() => readOptions(['--fast'], ROWS)).toThrow("'--fast'")
  expect(() => readOptions(['--store', 'mysql'], ROWS)).toThrow('sqlite or postgres')
})

test('rows are measured alone by their names, of which an unknown one brings the known', () => {
  expect(readOptions(['--only', 'recall,store-search'], ROWS).only).toEqual([
    'recall',
    'store-search',
  ])
  expect(() => readOptions(['--only', 'recal'], ROWS)).toThrow(
    'There is no row recal. There are: store-search, recall.',
  )
})
