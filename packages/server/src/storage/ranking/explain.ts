// The reasons for the score of one memory, from the very numbers that it was scored with.
import type { Explanation } from '../../retrieval/explanation.ts'
import { partsOf, strengthOf } from '../../retrieval/scoring.ts'
import type { WeighedTerm } from '../../retrieval/weighing.ts'
import type { RankedMemory, RankedPiece, RowColumns, Strengths } from './strengths.ts'

/** `sentencePart` is its place among the rows of the memory; a piece without sentences is its own. */
export type RankedExplanation = Omit<Explanation, 'sentence'> & { sentencePart: number }

type Explained<P extends RankedPiece> = {
  memory: RankedMemory<P>
  score: number
  terms: readonly WeighedTerm[]
  /** With exact cosines. */
  rows: RowColumns
  termsOf: (piece: P) => ReadonlySet<string>
}

/** For the first part of the query. Undefined for a memory without pieces. */
export function explainScore<P extends RankedPiece>(
  strengths: Strengths,
  { memory, score, terms, rows, termsOf }: Explained<P>,
): RankedExplanation | undefined {
  const pieces = memory.pieces.map((piece) => {
    const evidence = strengths.evidenceOf(memory, piece, rows, 0)
    return { piece, evidence, strength: strengthOf(evidence, strengths.weights) }
  })
  const [best] = pieces.toSorted((one, other) => other.strength - one.strength)
  const [first] = memory.pieces
  if (best === undefined || first === undefined) return undefined
  const { row, rowEnd } = best.piece
  const had = termsOf(best.piece)
  const sentence = sentencesOf(row, rowEnd)
    .map((each) => ({ row: each, similarity: strengths.similarityOf(each, rows, 0) }))
    .reduce((one, other) => (other.similarity > one.similarity ? other : one))
  return {
    score,
    sentencePart: sentence.row - first.row,
    terms: terms.map(({ word, forms, share }) => ({
      word,
      share,
      isMatched: forms.some((form) => had.has(form)),
    })),
    parts: partsOf(best.evidence, strengths.weights),
  }
}

/** The rows of a piece's sentences; of one that has none, its own. */
function sentencesOf(row: number, rowEnd: number): number[] {
  const rows = Array.from({ length: rowEnd - row }, (_, place) => row + place)
  return rows.length > 1 ? rows.slice(1) : rows
}
