import { expect, test } from 'vitest'
import { takeGroup } from './group-size.ts'
import type { Call } from './worker-calls.ts'

const MIB = 1024 * 1024
const calls = (count: number, ...args: unknown[]): Call[] =>
  Array.from({ length: count }, (_, id) => ({ id, name: 'any', args }))

test('whatever has arrived goes into one commit, up to 512 calls, in its order', () => {
  const queue = calls(600)
  const all = [...queue]
  expect(takeGroup(queue)).toEqual(all.slice(0, 512))
  expect(takeGroup(queue)).toEqual(all.slice(512))
  expect(takeGroup(queue)).toEqual([])
})

test.each([
  ['texts', { content: 'x'.repeat(MIB) }],
  ['vectors', [{ vector: new Float32Array(MIB / 4) }]],
])('a commit is complete with the %s that reach 4 MiB', (_what, input) => {
  const queue = calls(10, 1, input)
  expect(
    [takeGroup(queue), takeGroup(queue), takeGroup(queue)].map(({ length }) => length),
  ).toEqual([4, 4, 2])
})

test('a call that is larger by itself is taken alone', () => {
  const queue = calls(2, 'x'.repeat(5 * MIB))
  expect(takeGroup(queue)).toHaveLength(1)
  expect(takeGroup(queue)).toHaveLength(1)
})
