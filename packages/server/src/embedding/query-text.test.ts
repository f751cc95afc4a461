// What is asked for is read alike, whatever stands around it.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { textToRead } from './query-text.ts'

const QUESTION = 'Where does Anna live?'

test.each([
  `"${QUESTION}"`,
  `“${QUESTION}”`,
  `\`${QUESTION}\``,
  `**${QUESTION}**`,
  `_${QUESTION}_`,
  `- ${QUESTION}`,
  `> # ${QUESTION}`,
  `${QUESTION} 🙂🙂`,
  `${QUESTION} 👩🏽‍💻❤️`,
  `${QUESTION}??`,
  `${QUESTION}!?`,
  'Where does **Anna** live?',
  'Where does _Anna_ `live`?',
  `user: ${QUESTION}`,
  `[2026-11-29 10:22] ${QUESTION}`,
  `Q: **${QUESTION}** 🙂`,
  `Hey Claude, ${QUESTION}`,
  `  ${QUESTION} Thanks!`,
])('%j is the question', (query) => {
  expect(textToRead(query)).toBe(QUESTION)
})

test.each([
  'Anna said "yes" and Ben "no"',
  '"yes" and "no"',
  '2 * 3 * 4',
  'where is snake_case_name and __init__ set',
  'Anna*s',
  'the C# of F#m7',
  '-5 degrees',
  '🚀',
  'What does 🐉 mean?',
  'who may send a 👍',
  '"',
  '**',
  '',
])('%j keeps its signs', (query) => {
  expect(textToRead(query)).toBe(query)
})

test('a query has something to read left, and is read in the time of one look', () => {
  const part = fc.constantFrom('"', '**', '_', '`', '- ', '🙂', '?', '…', ' ', 'tea', 'user: ')
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const query = parts.join('')
      expect(textToRead(query) === '').toBe(query === '')
    }),
  )
  for (const repeated of [
    '"',
    '**',
    '*a',
    '_',
    '`a',
    '- ',
    '> ',
    '🙂 ',
    '?',
    '!?',
    '.',
    '…',
    ' ',
  ]) {
    const query = `x${repeated.repeat(200_000)}x`
    expect(textToRead(query)).toContain('x')
  }
})
