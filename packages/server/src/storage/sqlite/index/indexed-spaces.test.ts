import { expect, test } from 'vitest'
import type { SpaceId } from '../../records.ts'
import { IndexedSpaces } from './indexed-spaces.ts'

test('of spaces that share a count each is sent its changes until its own last index is gone', () => {
  const searcher = new IndexedSpaces()
  const writer = new IndexedSpaces(searcher.memory)
  const counts = searcher.memory.byteLength / Int32Array.BYTES_PER_ELEMENT
  const [one, other] = [1 as SpaceId, (1 + counts) as SpaceId]
  for (const space of [one, one, other]) searcher.add(space)
  for (const space of [one, other]) searcher.remove(space)
  expect(writer.mayHave(one)).toBe(true)
  searcher.remove(one)
  expect(writer.mayHave(one)).toBe(false)
})
