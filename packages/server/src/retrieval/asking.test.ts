// What asks is told from what states, in several languages, with a question mark or without. By examples:
// how people ask follows no rule.
import { describe, expect, test } from 'vitest'
import { isAsking, isQuestionOnly } from './asking.ts'

test.each([
  'What does Anna drink?',
  'and where did they go then?”',
  '东京在哪里？',
  'Πού μένει σήμερα ο αδελφός μου;',
  '«Πού μένει σήμερα ο αδελφός μου\u037e',
  'tell me about the trip to the harbour',
  'which of the ships left first',
  '"which of the ships left first"',
  'أين تشرب آنا القهوة في الصباح؟',
  '안나는 아침에 어디에서 커피를 마시나요？',
  'food allergies',
  'Anna drinks tea',
  '10 24 3 118',
  'hh 5520 91 c',
  'dietary restrictions of the user in the past year',
  'root cause of the nightly crashes',
  '“how the invoices of last year were paid”',
  'allergies and intolerances, since when',
  'Before the trip on Monday I have to be sure which pills he takes in the morning.',
  'A colleague of hers wants to know whether the harbour was closed last week',
  'I have forgotten what else went into the soup.',
])('takes %j for asking', (query) => {
  expect(isAsking(query)).toBe(true)
})

test.each([
  'Anna prefers dark roast coffee in the morning.',
  'A storm closed the harbour for three whole days.',
  'Canada has more lakes than other countries.',
  'Canada has more lakes than other countries;',
  'Anna drinks green tea',
  'Storm closes harbour for three days',
  'He knows the harbour. When it storms he stays at home.',
  'She is sure of it, and for once I agree with her on this.',
  'آنا تشرب القهوة في الصباح',
  'the kettle is in the left cupboard',
  'anna doesn’t drink coffee in the evening',
  'a storm closed the harbour for three days.',
])('takes %j for stating', (query) => {
  expect(isAsking(query)).toBe(false)
})

describe('a memory only asks something', () => {
  test.each([
    'Anna: Did you see the film?',
    'Anna: What is this? [shares a photo of a kettle]',
    '映画を見ましたか？',
    'Είδες την ταινία;',
    'هل شاهدت الفيلم؟',
    'She asked: “Did you see it?”',
    `${'a'.repeat(599)}?`,
  ])('when it ends so: %s', (content) => {
    expect(isQuestionOnly(content)).toBe(true)
  })

  test.each([
    'Did you see it? It was good.',
    'The kettle sings.',
    `${'We talked for a long time. '.repeat(30)}Did we not?`,
    `${'a'.repeat(600)}?`,
  ])('not when it states something: %s', (content) => {
    expect(isQuestionOnly(content)).toBe(false)
  })
})
