// Why a memory has its score for a query: for people who look at a search in the console. Not part of
// what callers of the interface get.
import type { EvidenceParts } from './scoring.ts'

/** In UTF-16 code units of the content. */
export type TextSpan = { start: number; end: number }

export type Explanation = {
  score: number
  /** Of the piece that speaks best for the query, the sentence that means it most, or all if it has none. */
  sentence: TextSpan
  /** The terms of the query as it writes them; the shares of their weights sum up to 1. */
  terms: { word: string; share: number; isMatched: boolean }[]
  /** What each kind of evidence brings in. Their sum gives the score. */
  parts: EvidenceParts
}
