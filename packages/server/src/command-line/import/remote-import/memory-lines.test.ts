// What is sent of a file: each line with a key by which the server knows it again.
import { expect, test } from 'vitest'
import { countLines, memoryLines } from './memory-lines.ts'

const ALL = { fromLine: 1, except: [] }

async function keysOf(...lines: string[]): Promise<unknown[]> {
  const keys: unknown[] = []
  for await (const { bytes } of memoryLines(streamOf(lines.join('\n')), ALL)) {
    keys.push(JSON.parse(String(bytes)).idempotencyKey)
  }
  return keys
}

async function* streamOf(text: string) {
  yield Buffer.from(text)
}

const MADE = /^[\w-]{43}$/

test('a line without a key gets one that follows from its number and text', async () => {
  const [first, second] = await keysOf('{"content":"a"}', '{"content":"a"}')
  expect([first, second]).toEqual([expect.stringMatching(MADE), expect.stringMatching(MADE)])
  expect(first).not.toBe(second)
  expect(await keysOf('{"content":"a"}')).toEqual([first])
})

test('a key of its own stays', async () => {
  expect(await keysOf('{"idempotencyKey":"own","metadata":{"idempotencyKey":null}}')).toEqual([
    'own',
  ])
})

test.each([
  '{"idempotencyKey":null,"content":"a"}',
  '{"content":"a", "idempotencyKey" : null }  \r',
  '{"content":"a","\\u0069dempotencyKey":null}',
  '{"idempotencyKey":"own","content":"a","idempotencyKey":null}',
])('no key is none, however it is said: %s', async (line) => {
  expect(await keysOf(line)).toEqual([expect.stringMatching(MADE)])
  expect(await keysOf(line)).toEqual(await keysOf(line))
})

test('what is no object is sent as it is', async () => {
  const lines = ['null', '[null]', '{}', '{"idempotencyKey":null', 'x']
  const sent: string[] = []
  for await (const { bytes } of memoryLines(streamOf(lines.join('\n')), ALL)) {
    sent.push(String(bytes))
  }
  expect(sent.filter((line) => !line.includes('idempotencyKey'))).toEqual([
    'null',
    '[null]',
    '{}',
    'x',
  ])
  expect(() => JSON.parse(sent[3] ?? '')).toThrow()
})

test('a line that holds nothing but a byte order mark and white space is blank', async () => {
  const text = '\ufeff \r\n{"content":"a"}\n\ufeff\n\ufeff{"content":"b"}\n'
  const numbers: number[] = []
  for await (const { number } of memoryLines(streamOf(text), ALL)) numbers.push(number)
  expect(numbers).toEqual([2, 4])
  expect(await countLines(streamOf(text), ALL)).toBe(2)
})

test('lines that are left out are neither sent nor counted, and the others keep their numbers', async () => {
  const text = Array.from({ length: 12 }, (_, n) => `{"content":"${n}"}`).join('\n')
  const except = [
    { from: 1, to: 3 },
    { from: 6, to: 6 },
    { from: 8, to: 9 },
    { from: 20, to: 30 },
  ]
  const chosen = { fromLine: 3, except }
  const numbers: number[] = []
  for await (const { number } of memoryLines(streamOf(text), chosen)) numbers.push(number)
  expect(numbers).toEqual([4, 5, 7, 10, 11, 12])
  expect(await countLines(streamOf(text), chosen)).toBe(6)
})
