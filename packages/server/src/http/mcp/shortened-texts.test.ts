import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TEXTS_LENGTH_MAX, withShortenedTexts } from './shortened-texts.ts'

const contents = (answer: unknown): string[] =>
  Object(answer).results.map(({ content }: { content: string }) => content)

test('texts that fit together stay as they are, and so does a record by itself', () => {
  const results = Array.from({ length: 4 }, (_none, id) => ({ id, content: 'x'.repeat(10_000) }))
  expect(withShortenedTexts({ results }, 'get_memory')).toEqual({ results })
  const whole = { id: 'mem_1', content: 'x'.repeat(50_000), tags: ['a'] }
  expect(withShortenedTexts(whole, 'get_memory')).toEqual(whole)
})

test('texts that just fit stay as they are, whatever their characters take', () => {
  const thirds = [13_333, 13_333, 13_334].map((length) => ({ content: 'x'.repeat(length) }))
  expect(withShortenedTexts({ results: thirds }, 'get_memory')).toEqual({ results: thirds })
  const faces = Array.from({ length: 4 }, () => ({ content: '\u{1f600}'.repeat(10_000) }))
  expect(withShortenedTexts({ results: faces }, 'get_memory')).toEqual({ results: faces })
  const mixed = [
    'x'.repeat(10_000),
    'x'.repeat(10_000),
    ...Array(3).fill('\u{1f600}'.repeat(6_000)),
  ]
  const records = mixed.map((content) => ({ content }))
  expect(withShortenedTexts({ results: records }, 'get_memory')).toEqual({ results: records })
  const longer = Array.from({ length: 3 }, () => ({ content: 'x'.repeat(20_000) }))
  expect(contents(withShortenedTexts({ results: longer }, 'get_memory'))[0]).toContain('[13333 of')
})

test('what short texts leave over is there for the long ones', () => {
  const lengths = [9_000, 20, 9_000, 300, 20_000, 30_000]
  const results = lengths.map((length) => ({ content: 'x'.repeat(length) }))
  const told = contents(withShortenedTexts({ results: results.slice(0, 5) }, 'get_memory'))
  expect(told.map(({ length }) => length)).toEqual(lengths.slice(0, 5))
  // 20 and 300 are whole, then 9,000 twice; the other two share the remaining 21,680.
  const cut = contents(withShortenedTexts({ results }, 'get_memory'))
  expect(cut.slice(0, 4).map(({ length }) => length)).toEqual(lengths.slice(0, 4))
  expect(cut[4]).toContain('[10840 of 20000 characters')
  expect(cut[5]).toContain('[10840 of 30000 characters')
})

test('a text that is cut says how much of it there is, and where the rest is', () => {
  const results = Array.from({ length: 10 }, () => ({ content: 'word '.repeat(2_000) }))
  const [first] = contents(withShortenedTexts({ results }, 'get_memory'))
  expect(first).toBe(
    `${'word '.repeat(800)} … [4000 of 10000 characters: get_memory has all of them]`,
  )
})

test('only texts are cut, not ids, tags or metadata', () => {
  const item = {
    id: 'i'.repeat(30_000),
    tags: ['t'.repeat(30_000)],
    description: 'd'.repeat(30_000),
  }
  const { items } = Object(withShortenedTexts({ items: [item, item] }, 'get_entity'))
  expect(items[0]).toMatchObject({ id: item.id, tags: item.tags })
  expect(items[0].description).toContain('20000 of 30000')
})

test('whatever the texts are, all of them together stay near the bound, and no character is halved', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 3_000 })
  fc.assert(
    fc.property(fc.array(text, { maxLength: 60 }), fc.nat({ max: 40 }), (texts, times) => {
      const results = texts.map((content) => ({ content: content.repeat(times) }))
      const told = contents(withShortenedTexts({ results }, 'get_memory'))
      const length = told.reduce((sum, content) => sum + [...content].length, 0)
      expect(length).toBeLessThanOrEqual(TEXTS_LENGTH_MAX + 80 * results.length)
      told.forEach((content, place) => {
        const whole = results[place]?.content ?? ''
        const beginning = content.replace(
          / … \[\d+ of \d+ characters: get_memory has all of them\]$/,
          '',
        )
        expect(whole.startsWith(beginning)).toBe(true)
        expect(content.isWellFormed()).toBe(whole.isWellFormed())
      })
    }),
    { numRuns: 50 },
  )
})
