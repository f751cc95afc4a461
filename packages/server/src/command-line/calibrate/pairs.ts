// Reads pairs of texts that people judged: CSV with two texts and a rating, or JSON lines. What is
// wrong is told by its line, without its text.
import { Type } from 'typebox'
import { fits } from '../../fits.ts'
import { parsedJson } from '../../parsed-json.ts'
import { UsageFailure } from '../failure.ts'
import { parseCsv } from './csv.ts'

/** From 0, nothing to do with each other, to 5, the same. */
export type RatedPair = { a: string; b: string; rating: number }

const RATING_MAX = 5

const Rated = Type.Object({
  a: Type.String({ minLength: 1 }),
  b: Type.String({ minLength: 1 }),
  rating: Type.Number({ minimum: 0, maximum: RATING_MAX }),
})
const Related = Type.Object({
  a: Type.String({ minLength: 1 }),
  b: Type.String({ minLength: 1 }),
  related: Type.Boolean(),
})

/** Throws a UsageFailure for the first line that is no pair. */
export function parsePairs(text: string): RatedPair[] {
  const content = text.replace(/^\ufeff/, '')
  return content.trimStart().startsWith('{') ? fromJsonLines(content) : fromCsv(content)
}

function fromCsv(text: string): RatedPair[] {
  const rows = parseCsv(text)
  if (rows === undefined) {
    throw new UsageFailure('The pairs cannot be read: a quotation mark is not closed or misplaced.')
  }
  return rows.map(([a, b, rating = '', ...rest], index) => {
    const pair = { a, b, rating: rating.trim() === '' ? undefined : Number(rating) }
    if (rest.length === 0 && fits(Rated, pair)) return pair
    throw new UsageFailure(
      `Row ${index + 1} of the pairs must be two texts and a rating from 0 to ${RATING_MAX}.`,
    )
  })
}

function fromJsonLines(text: string): RatedPair[] {
  return text.split(/\r?\n/).flatMap((line, index) => {
    if (line.trim() === '') return []
    const pair = parsedPair(line)
    if (pair !== undefined) return [pair]
    throw new UsageFailure(
      `Line ${index + 1} of the pairs must be {"a": text, "b": text} with "related": true or ` +
        `false, or with a "rating" from 0 to ${RATING_MAX}.`,
    )
  })
}

function parsedPair(line: string): RatedPair | undefined {
  const value = parsedJson(line)
  if (fits(Rated, value)) return { a: value.a, b: value.b, rating: value.rating }
  // A rating that is none, such as null, must not say what the pair is.
  if (!fits(Related, value) || 'rating' in value) return undefined
  return { a: value.a, b: value.b, rating: value.related ? RATING_MAX : 0 }
}
