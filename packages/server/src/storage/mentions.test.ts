// One call looks at a bounded number of characters, whatever they become when they are folded.
import { expect, test } from 'vitest'
import { Mentions } from './mentions.ts'
import type { MemoryRecord } from './records.ts'

const memoryOf = (content: string): MemoryRecord => ({
  id: 'mem_1',
  content,
  userId: 'u',
  agentId: undefined,
  tags: [],
  metadata: undefined,
  createdAt: 1,
})

/** Memories of this content that one call reads. */
function looksFor(content: string): number {
  const mentions = new Mentions('Anna', 100)
  let looks = 1
  while (mentions.look(memoryOf(content)) === undefined) looks += 1
  return looks
}

test.each([
  ['x', 1],
  ['\ufdfa', 18],
])('a call reads two million folded characters, such as %s', (character, folded) => {
  expect(looksFor(character.repeat(10_000))).toBe(Math.ceil(200 / folded))
})
