// The reasons for the score of one memory, from the very numbers that it was scored with.
import type { QueryPart } from '../../retrieval/evidence.ts'
import type { Explanation } from '../../retrieval/explanation.ts'
import { partsOf, strengthOf } from '../../retrieval/scoring.ts'
import type { WeighedTerm } from '../../retrieval/weighing.ts'
import type { MemoryColumns } from './memory-columns.ts'
import type { Strengths } from './strengths.ts'

/** The parts are places among the rows of the memory; a piece without sentences is its own. */
export type RankedExplanation = Pick<Explanation, 'score' | 'terms' | 'parts' | 'border'> & {
  piecePart: number
  sentencePart: number
}

type Explained = {
  memory: number
  score: number
  part: QueryPart
  terms: readonly WeighedTerm[]
  /** Exact ones with the part, by row. */
  cosines: Float64Array
  hasAny: (unit: number, forms: readonly string[]) => boolean
}

/** Undefined for a memory without pieces. */
export function explainScore(
  columns: MemoryColumns,
  strengths: Strengths,
  { memory, score, part, terms, cosines, hasAny }: Explained,
): RankedExplanation | undefined {
  let piecePart = 0
  const pieces = columns.unitsOf(memory).map((unit) => {
    const rows = columns.rowsOf(unit)
    const evidence = strengths.evidenceOf(memory, unit, part, cosines)
    const piece = { unit, rows, evidence, piecePart }
    piecePart += rows.length
    return piece
  })
  const strengthIn = (piece: (typeof pieces)[number]): number =>
    strengthOf(piece.evidence, strengths.weights)
  const [best] = pieces.toSorted((one, other) => strengthIn(other) - strengthIn(one))
  if (best === undefined) return undefined
  const sentence = best.rows
    .map((row, place) => ({ place, similarity: strengths.similarityOf(row, cosines) }))
    .slice(best.rows.length > 1 ? 1 : 0)
    .reduce((one, other) => (other.similarity > one.similarity ? other : one))
  return {
    score,
    piecePart: best.piecePart,
    sentencePart: best.piecePart + sentence.place,
    terms: terms.map(({ word, forms, share }) => ({
      word,
      share,
      isMatched: hasAny(best.unit, forms),
    })),
    parts: partsOf(best.evidence, strengths.weights),
    border: strengths.weights.border,
  }
}
