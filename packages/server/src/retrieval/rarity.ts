// How rare a term is in the language at large. The vocabulary of a WordPiece tokenizer is ordered
// by frequency, which gives an inverse document frequency that depends on nobody's data: it leaks
// nothing between tenants and does not drift as data grows.
import { stemOf } from './stemming.ts'

/** Whole words begin here in BERT's vocabulary; before them lie marks and single characters. */
const FIRST_WORD_ID = 1996
const RANK_OF_UNKNOWN_WORDS = 60_000

export type Rarity = (term: string) => number

/** `vocabulary` maps a word piece to its id, most frequent first. */
export function rarityOf(vocabulary: Readonly<Record<string, number>>): Rarity {
  const rankByStem = new Map<string, number>()
  for (const [word, id] of Object.entries(vocabulary)) {
    if (id < FIRST_WORD_ID || word.startsWith('##')) continue
    const stem = stemOf(word)
    const rank = id - FIRST_WORD_ID + 1
    rankByStem.set(stem, Math.min(rank, rankByStem.get(stem) ?? rank))
  }
  return (term) => Math.log(1 + ((rankByStem.get(term) ?? RANK_OF_UNKNOWN_WORDS) + 10) / 10)
}
