// Which pieces of a space have a term, and how many memories: the weights of a query's terms, and
// what share of them each piece has. A piece is known by a number. A term is one object, however many
// pieces have it, and its pieces are a plain list: a term that every memory has is gone through as
// fast as the list can be read.
import type { QueryTerm } from '../../retrieval/evidence.ts'
import { type WeighedTerm, weighTerms } from '../../retrieval/weighing.ts'
import type { Matches } from '../ranking/strengths.ts'

type Posting = { term: string; pieces: number[]; memories: number }

// What a piece takes for a term, and a term for itself, as measured.
const PIECE_BYTES = 20
const POSTING_BYTES = 200

export class TermIndex {
  readonly #postings = new Map<string, Posting>()
  readonly #termsOfPiece: Posting[][] = []
  #bytes = 0

  /** About what the index holds in memory. */
  get bytes(): number {
    return this.#bytes
  }

  /** The pieces of one memory, with the terms of each, each once. */
  add(pieces: readonly number[], terms: readonly string[][]): void {
    for (const [place, piece] of pieces.entries()) {
      const postings = (terms[place] ?? []).map((term) => this.#posting(term))
      for (const posting of postings) posting.pieces.push(piece)
      this.#termsOfPiece[piece] = postings
      this.#bytes += postings.length * PIECE_BYTES
    }
    for (const posting of this.#distinct(pieces)) posting.memories += 1
  }

  /** The pieces of one memory. */
  remove(pieces: readonly number[]): void {
    for (const posting of this.#distinct(pieces)) posting.memories -= 1
    for (const piece of pieces) {
      const postings = this.#termsOfPiece[piece] ?? []
      for (const posting of postings) this.#removeFrom(posting, piece)
      this.#termsOfPiece[piece] = []
      this.#bytes -= postings.length * PIECE_BYTES
    }
  }

  hasAny(piece: number, forms: readonly string[]): boolean {
    return (this.#termsOfPiece[piece] ?? []).some(({ term }) => forms.includes(term))
  }

  piecesWith(term: string): ReadonlySet<number> {
    return new Set(this.#postings.get(term)?.pieces)
  }

  /** `memories` is how many there are in the space. */
  weigh(terms: readonly QueryTerm[], memories: number): WeighedTerm[] {
    return weighTerms(terms, memories, (term) => this.#postings.get(term)?.memories ?? 0)
  }

  /** Adds to the matches, in which a piece that has none of the terms stays at zero. */
  match(terms: readonly WeighedTerm[], { coverage, nameCoverage }: Matches): void {
    const names = terms.filter(({ isName }) => isName).length
    for (const { forms, isName, share } of terms) {
      const pieces = this.#piecesWithAny(forms)
      for (const piece of pieces) coverage[piece] = (coverage[piece] ?? 0) + share
      if (!isName) continue
      for (const piece of pieces) nameCoverage[piece] = (nameCoverage[piece] ?? 0) + 1 / names
    }
  }

  /** Each once. */
  #piecesWithAny(forms: readonly string[]): readonly number[] {
    const lists = forms.flatMap((form) => this.#postings.get(form) ?? [])
    if (lists.length <= 1) return lists[0]?.pieces ?? []
    const isListed = new Uint8Array(this.#termsOfPiece.length)
    const all: number[] = []
    for (const { pieces } of lists) {
      for (const piece of pieces) {
        if (isListed[piece] === 1) continue
        isListed[piece] = 1
        all.push(piece)
      }
    }
    return all
  }

  #posting(term: string): Posting {
    const known = this.#postings.get(term)
    if (known !== undefined) return known
    const posting = { term, pieces: [], memories: 0 }
    this.#postings.set(term, posting)
    this.#bytes += POSTING_BYTES
    return posting
  }

  /** The last piece takes the place of the one that goes. */
  #removeFrom({ term, pieces }: Posting, piece: number): void {
    const place = pieces.indexOf(piece)
    const last = pieces.pop()
    if (last !== undefined && last !== piece) pieces[place] = last
    if (pieces.length > 0) return
    this.#postings.delete(term)
    this.#bytes -= POSTING_BYTES
  }

  #distinct(pieces: readonly number[]): Set<Posting> {
    return new Set(pieces.flatMap((piece) => this.#termsOfPiece[piece] ?? []))
  }
}
