// The sentences of any text lie in it in their order and none twice, and each is embedded with
// the name of whoever is speaking.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CountTokens, piecesOf, type Span } from './pieces.ts'
import { sentencesOf, sentenceText } from './sentences.ts'

/** A token for each word and each mark. */
const countTokens: CountTokens = (text) =>
  (text.match(/\p{L}+|\p{N}+|[^\s\p{L}\p{N}]/gu) ?? []).length
const ONE_PIECE = { tokensMax: 1_000, overlapTokens: 0 }

const inOnePiece = (text: string): string[] => {
  const pieces = piecesOf(text, countTokens, ONE_PIECE)
  return sentencesOf(text, pieces, countTokens).flatMap((spans) => spans.map(textOf(text)))
}
const textOf =
  (text: string) =>
  ({ start, end }: Span): string =>
    text.slice(start, end)

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.lorem({ maxCount: 12, mode: 'sentences' }),
  fc.lorem({ maxCount: 150, mode: 'words' }),
  fc
    .array(
      fc.constantFrom(
        'Anna: ',
        'A cat sleeps on the mat. ',
        'Dr. ',
        'Yes! ',
        '[photo]',
        '\n',
        '  ',
        '…',
        '記憶。',
      ),
      { maxLength: 30 },
    )
    .map((parts) => parts.join('')),
)

describe('the sentences of pieces', () => {
  test.each([
    ['a title', 'On Monday Dr. Lee looked at my left knee.'],
    ['a saint', 'We all walked through St. James Park to the river.'],
    ['an initial', 'The film with Samuel L. Jackson is the one she likes.'],
    ['an example', 'Call me in the evening, e.g. Tuesday after seven.'],
    ['a German date', 'Tom hat am 3. Dezember einen Termin beim Zahnarzt.'],
    ['a German ordinal', 'Meine Tochter geht in die 2. Klasse der Schule.'],
  ])('are not cut after %s', (_, sentence) => {
    const next = 'Then it began to rain very hard.'
    expect(inOnePiece(`${sentence} ${next}`)).toEqual([sentence, next])
  })

  test('are cut after a word that only ends like an abbreviation', () => {
    const sentences = ['The engine of the boat made many revs.', 'Then it began to rain very hard.']
    expect(inOnePiece(sentences.join(' '))).toEqual(sentences)
  })

  test('are cut after a number that ends one', () => {
    const sentences = ['My little sister Ann is 25.', 'December is when she was born.']
    expect(inOnePiece(sentences.join(' '))).toEqual(sentences)
  })

  test('end with a line, whatever its last word is', () => {
    const lines = ['The one who knows it is our Dr.', 'Then it began to rain very hard.']
    expect(inOnePiece(lines.join('\n'))).toEqual(lines)
  })

  test('lie inside the text, in order, none inside another, and begin inside their piece', () => {
    const sizes = fc.record({
      tokensMax: fc.integer({ min: 8, max: 30 }),
      overlapTokens: fc.nat(4),
    })
    fc.assert(
      fc.property(anyText, sizes, (text, size) => {
        const pieces = piecesOf(text, countTokens, size)
        const sentences = sentencesOf(text, pieces, countTokens)
        expect(sentences).toHaveLength(pieces.length)
        for (const [place, { start, end }] of pieces.entries()) {
          for (const sentence of sentences[place] ?? []) {
            expect(sentence.start).toBeGreaterThanOrEqual(start)
            expect(sentence.start).toBeLessThan(end)
          }
        }
        let last = { start: -1, end: 0 }
        for (const sentence of sentences.flat()) {
          expect(sentence.start).toBeGreaterThan(last.start)
          expect(sentence.end).toBeGreaterThan(Math.max(sentence.start, last.end))
          last = sentence
        }
        expect(last.end).toBeLessThanOrEqual(text.length)
      }),
    )
  })

  test('are all there but the very short ones, without white space around them', () => {
    const text = '  Anna drinks her coffee black.  Yes!\nBen takes tea with some milk. '
    expect(inOnePiece(text)).toEqual([
      'Anna drinks her coffee black.',
      'Ben takes tea with some milk.',
    ])
  })

  test('are none when the whole text is one', () => {
    expect(inOnePiece('Anna drinks her coffee black every morning.')).toEqual([])
  })

  test('are told from a note in brackets that follows', () => {
    const text = 'Ben: Look at my new red bike! [a photo of a red bicycle]'
    expect(inOnePiece(text)).toEqual([
      'Ben: Look at my new red bike!',
      '[a photo of a red bicycle]',
    ])
  })

  test('belong to the piece that they begin in first, where two pieces overlap', () => {
    const text = 'One two three four five. Six seven eight nine ten. Red green blue white black.'
    const second = text.indexOf('Six')
    const third = text.indexOf('Red')
    const pieces = [
      { start: 0, end: third },
      { start: second, end: text.length },
    ]
    expect(sentencesOf(text, pieces, countTokens).map((spans) => spans.map(textOf(text)))).toEqual([
      ['One two three four five.', 'Six seven eight nine ten.'],
      ['Red green blue white black.'],
    ])
  })

  test('are there once in a piece that repeats one, where it stands first', () => {
    const [coffee, rain] = ['Anna drinks her coffee black.', 'It rained in Bergen all day.']
    const text = `${coffee} ${rain} ${coffee} ${coffee} ${rain} ${coffee}`
    const half = text.lastIndexOf(rain)
    const pieces = [
      { start: 0, end: half },
      { start: half, end: text.length },
    ]
    const sentences = sentencesOf(text, pieces, countTokens)
    expect(sentences.map((spans) => spans.map(({ start }) => start))).toEqual([
      [0, text.indexOf(rain)],
      [half, text.lastIndexOf(coffee)],
    ])
  })

  test('are equal when what is embedded for them is, the name of whoever speaks included', () => {
    expect(inOnePiece('Anna: I like my coffee. I like my coffee.')).toEqual([
      'Anna: I like my coffee.',
    ])
  })
})

describe('a sentence of more than forty words', () => {
  const numbered = (count: number): string =>
    Array.from({ length: count }, (_, place) => `word${place}`).join(' ')

  test('is read in windows, of which one has any eight words that follow each other', () => {
    const between = fc.constantFrom(' ', ', ', ' – ', '; ', ' (', '/')
    const count = fc.integer({ min: 41, max: 120 })
    fc.assert(
      fc.property(count, between, (words, separator) => {
        const text = `${numbered(words).replaceAll(' ', separator)})`
        const windows = inOnePiece(text)
        for (let first = 0; first + 8 <= words; first += 1) {
          const [from, to] = [`word${first}${separator}`, `${separator}word${first + 7}`]
          expect(windows.some((window) => window.includes(from) && window.includes(to))).toBe(true)
        }
        for (const window of windows) expect(window.match(/word/g)?.length).toBeLessThanOrEqual(16)
        expect(windows.at(-1)?.endsWith(')')).toBe(true)
      }),
    )
  })

  test('has none that is a part of another, and one of forty has none', () => {
    expect(inOnePiece(numbered(40))).toEqual([])
    const words = numbered(41).split(' ')
    const window = (first: number, next: number): string => words.slice(first, next).join(' ')
    expect(inOnePiece(words.join(' '))).toEqual([
      window(0, 16),
      window(8, 24),
      window(16, 32),
      window(24, 40),
      window(32, 41),
    ])
  })

  test('is told from its neighbours, which stay whole', () => {
    const [before, after] = ['Anna drinks her coffee black.', 'Ben takes tea with some milk.']
    const sentences = inOnePiece(`${before} Then ${numbered(41)}. ${after}`)
    expect(sentences.at(0)).toBe(before)
    expect(sentences.at(1)?.startsWith('Then word0 ')).toBe(true)
    expect(sentences.at(-2)?.endsWith(' word40.')).toBe(true)
    expect(sentences.at(-1)).toBe(after)
  })
})

describe('the sentences of a memory', () => {
  const { tokensMax, overlapTokens } = { tokensMax: 126, overlapTokens: 32 }
  const manySentences = (count: number): string =>
    Array.from({ length: count }, (_, place) => `${place} a b c!`).join(' ')
  const piecesOfText = (text: string): Span[] =>
    piecesOf(text, countTokens, { tokensMax, overlapTokens })

  test('stay as they are up to a thousand', () => {
    const text = manySentences(1_000)
    const sentences = sentencesOf(text, piecesOfText(text), countTokens)
    expect(sentences.flat().map(textOf(text)).join(' ')).toBe(text)
    expect(sentences.flat()).toHaveLength(1_000)
  })

  test('are joined with their neighbours in a piece beyond it, so that nothing is left out', () => {
    for (const count of [1_001, 1_111, 2_500, 5_000]) {
      const text = manySentences(count)
      const pieces = piecesOfText(text)
      const sentences = sentencesOf(text, pieces, countTokens)
      expect(sentences.flat().length).toBeLessThanOrEqual(1_000)
      expect(sentences.flat().map(textOf(text)).join(' ')).toBe(text)
      for (const [place, own] of sentences.entries()) {
        expect(own.length).toBeGreaterThan(0)
        expect(own.at(-1)?.end).toBeLessThanOrEqual(pieces[place]?.end ?? 0)
      }
    }
  })

  test('are one a piece where there are more pieces than that', () => {
    const text = manySentences(3_000)
    const pieces = piecesOf(text, countTokens, { tokensMax: 10, overlapTokens: 0 })
    const sentences = sentencesOf(text, pieces, countTokens)
    expect(sentences.every((own) => own.length === 1)).toBe(true)
  })
})

describe('what is embedded for a sentence', () => {
  const text = 'Anna Berg: I like coffee. Ben takes tea.'

  test('says in front who is speaking, once', () => {
    const second = text.indexOf('Ben')
    expect(sentenceText(text, { start: second, end: text.length })).toBe(
      'Anna Berg: Ben takes tea.',
    )
    expect(sentenceText(text, { start: 0, end: second - 1 })).toBe('Anna Berg: I like coffee.')
  })

  test('is the sentence alone when nobody is named', () => {
    expect(sentenceText('It rained. The street was wet.', { start: 11, end: 30 })).toBe(
      'The street was wet.',
    )
  })
})
