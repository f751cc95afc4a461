// For any text and any way of counting tokens, pieces cover all of it and are no longer than is allowed, and
// they are cut where a reader would cut.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CountTokens, piecesOf, type Span } from './pieces.ts'

const bytes: CountTokens = (text) => Buffer.byteLength(text)
const wordsAndMarks: CountTokens = (text) => text.match(/[\p{L}\p{N}\p{M}]+|[^\s]/gu)?.length ?? 0
const codePoints: CountTokens = (text) => [...text].length

const anyCounter = fc.constantFrom(bytes, wordsAndMarks, codePoints)
const anySize = fc
  .record({ tokensMax: fc.integer({ min: 1, max: 60 }), overlapTokens: fc.nat({ max: 30 }) })
  .map(({ tokensMax, overlapTokens }) => ({
    tokensMax,
    overlapTokens: Math.min(overlapTokens, Math.floor(tokensMax / 2)),
  }))
const oddParts = fc.constantFrom(
  'A sentence. ',
  'Why? Because!\r\n',
  'one two three four five six seven eight nine ten ',
  '\n\n',
  '記憶は意味で見つかる。',
  'ภาษาไทย',
  '👩‍👩‍👧‍👦',
  'e\u0301\u0301\u0301',
  'x'.repeat(90),
)
const anyText = fc
  .array(fc.oneof(oddParts, fc.string({ unit: 'binary' })), { minLength: 1, maxLength: 12 })
  .map((parts) => parts.join(''))
  .filter((text) => text !== '')

const textOf = (text: string, { start, end }: Span): string => text.slice(start, end)
const isCodePointBorder = (text: string, index: number): boolean =>
  !(/[\ud800-\udbff]/.test(text[index - 1] ?? '') && /[\udc00-\udfff]/.test(text[index] ?? ''))

describe('pieces of any text', () => {
  test('cover every character, in order, and each reaches further than the one before', () => {
    fc.assert(
      fc.property(anyText, anyCounter, anySize, (text, countTokens, size) => {
        const pieces = piecesOf(text, countTokens, size)
        expect(pieces[0]?.start).toBe(0)
        expect(pieces.at(-1)?.end).toBe(text.length)
        for (const [index, piece] of pieces.entries()) {
          const before = pieces[index - 1]
          if (before === undefined) continue
          expect(piece.start).toBeGreaterThan(before.start)
          expect(piece.start).toBeLessThanOrEqual(before.end)
          expect(piece.end).toBeGreaterThan(before.end)
        }
      }),
    )
  })

  test('have no more tokens than allowed, unless they are a single character', () => {
    fc.assert(
      fc.property(anyText, anyCounter, anySize, (text, countTokens, size) => {
        for (const piece of piecesOf(text, countTokens, size)) {
          const content = textOf(text, piece)
          if ([...content].length > 1) {
            expect(countTokens(content)).toBeLessThanOrEqual(size.tokensMax)
          }
        }
      }),
    )
  })

  test('repeat no more than the overlap allows', () => {
    fc.assert(
      fc.property(anyText, anyCounter, anySize, (text, countTokens, size) => {
        const pieces = piecesOf(text, countTokens, size)
        for (const [index, piece] of pieces.entries()) {
          const end = pieces[index - 1]?.end ?? 0
          expect(countTokens(text.slice(piece.start, end))).toBeLessThanOrEqual(size.overlapTokens)
        }
      }),
    )
  })

  test('never cut a surrogate pair', () => {
    fc.assert(
      fc.property(anyText, anyCounter, anySize, (text, countTokens, size) => {
        for (const { start, end } of piecesOf(text, countTokens, size)) {
          expect(isCodePointBorder(text, start) && isCodePointBorder(text, end)).toBe(true)
        }
      }),
    )
  })
})

describe('the borders of pieces', () => {
  const size = { tokensMax: 40, overlapTokens: 0 }
  const cut = (text: string, overlapTokens = 0): string[] =>
    piecesOf(text, codePoints, { ...size, overlapTokens }).map((piece) => textOf(text, piece))

  test('are a single piece when the text fits', () => {
    expect(cut('Short. And sweet.')).toEqual(['Short. And sweet.'])
  })

  test('lie between sentences when sentences fit', () => {
    expect(cut('The first one is this here. The second one is that there.')).toEqual([
      'The first one is this here. ',
      'The second one is that there.',
    ])
  })

  test.each(['\n', '\r\n', '\r'])(
    'take the line break %j for the end of a sentence',
    (lineBreak) => {
      const line = 'a line of words without a full stop'
      expect(cut([line, line].join(lineBreak))).toEqual([`${line}${lineBreak}`, line])
    },
  )

  test('lie between words when a sentence is too long', () => {
    const sentence = 'so many words that go on and on and on without any end in sight'
    const pieces = cut(sentence)
    expect(pieces.length).toBeGreaterThan(1)
    expect(pieces.join('')).toBe(sentence)
    for (const word of pieces.join('|').split(/[ |]+/)) expect(sentence.split(' ')).toContain(word)
  })

  test('lie between what readers see as characters when a word is too long', () => {
    const accented = 'e\u0301\u0302'
    const pieces = cut(accented.repeat(50))
    expect(pieces.length).toBeGreaterThan(1)
    for (const piece of pieces) {
      expect(piece.length % accented.length).toBe(0)
    }
  })

  test('lie inside such a character when it alone is too long', () => {
    const piled = `e${'\u0301'.repeat(100)}`
    expect(cut(piled).join('')).toBe(piled)
    expect(cut(piled).length).toBeGreaterThan(2)
  })

  test('repeat the end of a piece at the start of the next', () => {
    const [first, second] = cut('One is here. Two is there. Three is not, sorry.', 15)
    expect(first).toBe('One is here. Two is there. ')
    expect(second).toMatch(/^Two is there\. Three/)
  })

  test('repeat nothing that would leave no room for what follows', () => {
    const long = 'This sentence is a piece of its own now.'
    expect(cut(`One is here. Two is there. ${long}`, 15)).toEqual([
      'One is here. Two is there. ',
      long,
    ])
  })
})
