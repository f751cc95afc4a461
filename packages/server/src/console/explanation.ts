// Why a memory has its score, as the console shows it: the sentence that speaks best for it, the
// words of the question that it has, and what each kind of evidence brings in.
import type { ExplainedResult } from '../core/memories.ts'
import type { Explanation } from './contract/memories.ts'

/** Shares are those of everything that speaks for the memory; what speaks against it has none. */
export function toExplanation({ explanation }: ExplainedResult): Explanation | null {
  if (explanation === undefined) return null
  const { score, sentence, terms, parts } = explanation
  const values = Object.entries(parts).filter(([, value]) => value !== 0)
  const positive = values.reduce((sum, [, value]) => sum + Math.max(0, value), 0)
  return {
    score,
    piece: sentence,
    terms: terms.map(({ word, isMatched, share }) => ({ text: word, isMatched, weight: share })),
    parts: values.map(([kind, value]) => ({
      kind,
      value,
      share: positive === 0 ? 0 : Math.max(0, value) / positive,
    })),
  }
}
