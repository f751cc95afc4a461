import { expect, test } from 'vitest'
import { EVERYDAY_SETS, everydayPeople, parseEveryday } from './everyday.ts'

test('every line of a set is somebody’s memory or question', () => {
  expect(
    parseEveryday('# one\nTea.\n? Coffee?\n? drinks\nMilk.\n~ Juice?\n- Ships?\n\n# two\nRice.\n'),
  ).toEqual([
    {
      memories: [
        { content: 'Tea.', questions: ['Coffee?', 'drinks'] },
        { content: 'Milk.', questions: [] },
      ],
      near: ['Juice?'],
      far: ['Ships?'],
    },
    { memories: [{ content: 'Rice.', questions: [] }], near: [], far: [] },
  ])
})

test.each(['Tea.', '# one\n? Coffee?', '~ Juice?', '- Ships?'])(
  'a line that belongs to nobody is refused: %j',
  (text) => {
    expect(() => parseEveryday(text)).toThrow('belongs to nobody')
  },
)

test.each(EVERYDAY_SETS)(
  'in %s every memory of a person is asked for, and none of them twice',
  (set) => {
    const people = everydayPeople(set)
    expect(people).toHaveLength(6)
    for (const { memories, near, far } of people) {
      expect([memories.length, near.length, far.length]).toEqual([20, 10, 10])
      expect(memories.filter(({ questions }) => questions.length === 0)).toEqual([])
      const all = [...memories.flatMap(({ questions }) => questions), ...near, ...far]
      expect(new Set(all).size).toBe(all.length)
    }
  },
)
