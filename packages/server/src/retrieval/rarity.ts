// How rare a term is in the language at large. The vocabulary of a WordPiece tokenizer is ordered
// by frequency, which gives an inverse document frequency that depends on nobody's data: it leaks
// nothing between tenants and does not drift as data grows. stems.txt holds its stems, most frequent
// first: `npm run stems` derives it.
import { readFileSync } from 'node:fs'

const RANK_OF_UNKNOWN_WORDS = 60_000

export type Rarity = (term: string) => number

let inEnglish: Rarity | undefined

export function rarityInEnglish(): Rarity {
  inEnglish ??= rarityOf(readFileSync(new URL('stems.txt', import.meta.url), 'utf8'))
  return inEnglish
}

/** In a list that has a line for each word, with its stem unless a word before has the same one. */
export function rarityOf(stems: string): Rarity {
  const rankOf = new Map<string, number>()
  for (const [line, stem] of stems.split('\n').entries()) {
    if (stem !== '') rankOf.set(stem, line + 1)
  }
  return (term) => ofRank(rankOf.get(term) ?? RANK_OF_UNKNOWN_WORDS)
}

/** Whether the language has the term at all. */
export const isKnownTo = (rarity: Rarity, term: string): boolean =>
  rarity(term) < ofRank(RANK_OF_UNKNOWN_WORDS)

const ofRank = (rank: number): number => Math.log(1 + (rank + 10) / 10)
