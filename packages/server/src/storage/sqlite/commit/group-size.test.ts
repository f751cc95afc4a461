// A commit takes what has arrived, in its order, up to 512 calls and 4 MiB; what joins it later counts too,
// and a call that is larger goes alone.
import { expect, test } from 'vitest'
import type { Call } from '../threads/worker-calls.ts'
import { nothingTaken, takeGroup } from './group-size.ts'

const MIB = 1024 * 1024
const calls = (count: number, ...args: unknown[]): Call[] =>
  Array.from({ length: count }, (_, id) => ({ id, name: 'any', args }))

const lengthsOf = (queue: Call[], commits: number): number[] =>
  Array.from({ length: commits }, () => takeGroup(queue, nothingTaken()).length)

test('whatever has arrived goes into one commit, up to 512 calls, in its order', () => {
  const queue = calls(600)
  const all = [...queue]
  expect(takeGroup(queue, nothingTaken())).toEqual(all.slice(0, 512))
  expect(takeGroup(queue, nothingTaken())).toEqual(all.slice(512))
  expect(takeGroup(queue, nothingTaken())).toEqual([])
})

test('what arrives later joins a commit that has room for it', () => {
  const taken = nothingTaken()
  expect(takeGroup(calls(500), taken)).toHaveLength(500)
  const queue = calls(20)
  expect(takeGroup(queue, taken)).toHaveLength(12)
  expect(takeGroup(queue, taken)).toEqual([])
  expect(queue).toHaveLength(8)
})

test.each([
  ['texts', { content: 'x'.repeat(MIB) }],
  ['vectors', [{ vector: new Float32Array(MIB / 4) }]],
  ['pages of tags', { tags: Array.from({ length: 128 }, (_, one) => `tag ${one}`) }],
])('a commit is complete with the %s that reach 4 MiB', (_what, input) => {
  expect(lengthsOf(calls(10, 1, input), 3)).toEqual([4, 4, 2])
  const taken = nothingTaken()
  expect(takeGroup(calls(3, 1, input), taken)).toHaveLength(3)
  expect(takeGroup(calls(3, 1, input), taken)).toHaveLength(1)
})

test('a call that is larger by itself is taken alone', () => {
  expect(lengthsOf(calls(2, 'x'.repeat(5 * MIB)), 2)).toEqual([1, 1])
})

test('what ends the thread stays in the queue, and so does all that comes after it', () => {
  const queue: Call[] = [...calls(2), { id: 2, name: 'close', args: [] }, ...calls(1)]
  expect(lengthsOf(queue, 2)).toEqual([2, 0])
  expect(queue).toHaveLength(2)
})
