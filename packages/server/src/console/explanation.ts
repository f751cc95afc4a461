// Why a memory has its score, as the console shows it: the sentence that speaks best for it, the
// words of the question that it has, and what each kind of evidence brings in.
import type { ExplainedResult } from '../core/memories.ts'
import { EVIDENCE_KINDS, type Explanation } from './contract/memories.ts'

/** Shares are those of everything that speaks for the memory; what speaks against it has none. */
export function toExplanation({ explanation }: ExplainedResult): Explanation | null {
  if (explanation === undefined) return null
  const { score, sentence, terms, parts } = explanation
  const kinds = EVIDENCE_KINDS.filter((kind) => parts[kind] !== 0)
  const positive = kinds.reduce((sum, kind) => sum + Math.max(0, parts[kind]), 0)
  return {
    score,
    sentence,
    terms: terms.map(({ word, isMatched, share }) => ({ text: word, isMatched, weight: share })),
    parts: kinds.map((kind) => ({
      kind,
      value: parts[kind],
      share: positive === 0 ? 0 : Math.max(0, parts[kind]) / positive,
    })),
  }
}
