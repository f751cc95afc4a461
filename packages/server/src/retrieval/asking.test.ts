import { expect, it } from 'vitest'
import { isAsking } from './asking.ts'

it.each([
  'What does Anna drink?',
  'and where did they go then?”',
  '东京在哪里？',
  'tell me about the trip to the harbour',
  'which of the ships left first',
  'food allergies',
  'dietary restrictions of the user in the past year',
])('takes %j for asking', (query) => {
  expect(isAsking(query)).toBe(true)
})

it.each([
  'Anna prefers dark roast coffee in the morning.',
  'A storm closed the harbour for three whole days.',
])('takes %j for stating', (query) => {
  expect(isAsking(query)).toBe(false)
})
