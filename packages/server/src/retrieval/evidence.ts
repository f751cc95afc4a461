// What a search holds against each other: the pieces of a memory on one side, the pieces and terms
// of the query on the other.

/** A part of a memory's content with its embedding. Offsets count UTF-16 code units. */
export type Piece = { start: number; end: number; vector: Float32Array }

export type QueryTerm = {
  term: string
  /** Whether the query writes it like a proper name. */
  isName: boolean
  /** Rarity in the language at large, independent of anybody's data. */
  rarity: number
}

export type SearchQuery = {
  /** One for each piece of the query. */
  vectors: Float32Array[]
  /** Each once. */
  terms: QueryTerm[]
  /** Whether the query asks for something, rather than states it. */
  asks: boolean
}
