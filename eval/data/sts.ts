// Reads the STS benchmark as published in stsb-multi-mt: sentence, sentence, rating from 0 to 5.

import { spearman } from '../statistics/metrics.ts'

export type RatedPair = { first: string; second: string; rating: number }
export type RatedScore = { rating: number; score: number }

/** From this rating on people call two sentences the same, and up to the other, unrelated. */
export const SAME = 4
export const UNRELATED = 1

/** Spearman's rank correlation of the scores with people's ratings. */
export const agreement = (rated: readonly RatedScore[]): number =>
  spearman(
    rated.map(({ score }) => score),
    rated.map(({ rating }) => rating),
  )

/** Throws at the first line that is not such a pair. */
export function parseSts(text: string): RatedPair[] {
  return parseCsv(text).map(([first, second, rating], index) => {
    const value = Number(rating)
    if (!first || !second || !rating || Number.isNaN(value)) {
      throw new Error(`Row ${index + 1} of the STS file is not "sentence, sentence, rating".`)
    }
    return { first, second, rating: value }
  })
}

/** RFC 4180: fields may be quoted, and then hold commas, line breaks and doubled quotes. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  for (const [, quoted, plain, end] of text.matchAll(
    /(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r?\n|$)/g,
  )) {
    row.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end === ',') continue
    if (row.length > 1 || row[0] !== '') rows.push(row)
    row = []
  }
  return rows
}
