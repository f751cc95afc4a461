// Pieces with their terms, as every driver stores them.
import type { Piece } from '../retrieval/evidence.ts'
import { identityOf } from '../retrieval/identity.ts'
import { termsOfPieces } from '../retrieval/terms.ts'

export type PieceWithTerms = Piece & { terms: string[] }

/** The identity of the whole text stands among the terms of its first piece. */
export function withTerms(content: string, pieces: readonly Piece[]): PieceWithTerms[] {
  const terms = termsOfPieces(content, pieces)
  return pieces.map((piece, place) => {
    const own = terms[place] ?? []
    return { ...piece, terms: place === 0 ? [...own, identityOf(content)] : own }
  })
}
