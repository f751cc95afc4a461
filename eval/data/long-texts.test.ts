import { expect, test } from 'vitest'
import { asDictated, BURIED_FACTS, longTexts } from './long-texts.ts'

test('each long text holds its own fact whole and no other, within the length', () => {
  const texts = longTexts(10_000)
  expect(texts).toHaveLength(BURIED_FACTS.length)
  for (const [index, text] of texts.entries()) {
    expect(text.length).toBeLessThanOrEqual(10_000)
    expect(text.length).toBeGreaterThan(9_800)
    const held = BURIED_FACTS.flatMap(({ fact }, other) => (text.includes(fact) ? [other] : []))
    expect(held).toEqual([index])
  }
})

test('the facts lie at every position from the first to the last', () => {
  const texts = longTexts(10_000)
  const places = BURIED_FACTS.map(({ fact }, index) => (texts[index]?.indexOf(fact) ?? -1) / 10_000)
  expect(places.at(0)).toBe(0)
  expect(places.at(-1)).toBeGreaterThan(0.95)
  expect(places).toEqual([...places].sort((a, b) => a - b))
})

test('a dictated text has the same words and no sentence that ends', () => {
  const [text = ''] = longTexts(10_000)
  const wordsOf = (each: string) => each.toLowerCase().match(/[\p{L}\p{N}]+/gu)
  expect(wordsOf(asDictated(text))).toEqual(wordsOf(text))
  expect([
    ...new Intl.Segmenter('en', { granularity: 'sentence' }).segment(asDictated(text)),
  ]).toHaveLength(1)
})
