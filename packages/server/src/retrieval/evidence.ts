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

/** One vector per piece of the query, and its terms, each once. */
export type SearchQuery = {
  vectors: Float32Array[]
  terms: QueryTerm[]
}
