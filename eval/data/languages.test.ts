import { expect, test } from 'vitest'
import { LANGUAGES, peopleWhoWrite } from './languages.ts'

test.each(LANGUAGES)('in %s every memory of a person is asked for, and none twice', (language) => {
  const people = peopleWhoWrite(language)
  expect(people).toHaveLength(2)
  for (const { memories, near, far } of people) {
    expect([memories.length, near.length, far.length]).toEqual([12, 6, 8])
    expect(memories.filter(({ questions }) => questions.length === 0)).toEqual([])
    const all = [...memories.flatMap(({ questions }) => questions), ...near, ...far]
    expect(new Set(all).size).toBe(all.length)
  }
})
