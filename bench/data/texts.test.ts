import { expect, test } from 'vitest'
import { readTexts } from './texts.ts'

const { stored, asked } = readTexts(3_000, 50)

test('there are as many texts as wanted, no two alike, and the same every time', () => {
  expect(new Set(stored).size).toBe(3_000)
  expect(readTexts(3_000, 50)).toEqual({ stored, asked })
})

test('a smaller set is the beginning of a larger one', () => {
  expect(readTexts(100, 50).stored).toEqual(stored.slice(0, 100))
})

test('there are more texts than sentences', () => {
  const many = readTexts(40_000, 0).stored
  expect(new Set(many).size).toBe(40_000)
  expect(many.slice(0, 3_000)).toEqual(stored)
})

test('what is asked is not stored', () => {
  const all = new Set(stored)
  expect(asked.filter((query) => all.has(query))).toEqual([])
  expect(asked.filter((query) => query.endsWith('?')).length).toBeGreaterThan(20)
})
