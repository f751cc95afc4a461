// A name is mentioned by whole words, in scripts that part them and in those that do not. One call looks at a
// bounded number of characters, whatever they become when they are folded.
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

test.each([
  ['राम', 'मैं राम से मिला', true],
  ['राम', 'रामायण पढ़ी', false],
  ['सीता', 'सीताराम मंदिर', false],
  ['東京', '私は東京に住んでいる', true],
  ['コーヒー', 'ホットコーヒーを飲む', true],
  ['Tokyo', '我住在Tokyo的公寓', true],
  ['민수', '민수는 커피를 마신다', true],
  ['김수', '김순을 만났다', false],
  ['สมชาย', 'คุณสมชายชอบกาแฟ', true],
])('whether %s is mentioned in "%s": %s', (name, content, isMentioned) => {
  const mentions = new Mentions(name, 100)
  mentions.look(memoryOf(content))
  expect(mentions.items.length).toBe(isMentioned ? 1 : 0)
})
