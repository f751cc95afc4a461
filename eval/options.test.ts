import { expect, test } from 'vitest'
import { readOptions } from './options.ts'

test('without arguments a server is started and all conversations of no file are taken', () => {
  expect(readOptions([])).toEqual({
    locomo: undefined,
    sts: undefined,
    conversationsMax: Number.POSITIVE_INFINITY,
    rewordings: false,
    quick: false,
    regression: false,
    json: undefined,
    server: undefined,
  })
})

test('a running server is given by its address and its key together', () => {
  expect(readOptions(['--url', 'http://x', '--key', 'k']).server).toEqual({
    url: 'http://x',
    key: 'k',
  })
  expect(() => readOptions(['--url', 'http://x'])).toThrow('belong together')
})

test('unknown options and a number of conversations that is none are refused', () => {
  expect(() => readOptions(['--locmo', 'x'])).toThrow('--locmo')
  expect(() => readOptions(['--limit-conversations', '0'])).toThrow('whole number')
  expect(() => readOptions(['--limit-conversations', 'two'])).toThrow('whole number')
})
