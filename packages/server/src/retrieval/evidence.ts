// What a search holds against each other: the pieces of a memory on one side, the parts and terms
// of the query on the other.
import type { Calibration } from './calibration.ts'

/** A part of a text with its embedding. Offsets count UTF-16 code units. */
export type Passage = {
  start: number
  end: number
  vector: Float32Array
  /** See commonness.ts. Undefined when the model has no reference. */
  commonness: number | undefined
}

/** As much text as the model reads well at once, and the sentences that begin in it. */
export type Piece = Passage & {
  /** Empty when the piece is one sentence: it speaks for itself. */
  sentences: Passage[]
}

export type QueryPart = Pick<Passage, 'vector' | 'commonness'> & {
  /**
   * Whether something in it is unknown to the model, which reads all that is unknown as the same, or was left out
   * for it: a text with the same vector need not be the same. Absent when the embedder cannot tell.
   */
  hasUnknown?: boolean
  /** Whether it has nothing that the model knows: then the vector says little but how long it is. */
  isUnread?: boolean
}

export type QueryTerm = {
  term: string
  /** As the query writes it. */
  word: string
  /** Other forms that stand for the same, such as all groups of a number joined. */
  alternatives: string[]
  /** Whether the query writes it like a proper name. */
  isName: boolean
  /** Whether it names one thing and no other, as the number of an invoice does. */
  isCode: boolean
  /** Whether it is from whom the query speaks to: it counts only where the space knows it as a name. */
  isAddressed?: boolean
  /**
   * Of the one day that a question asks for, the whole and the words that it is written with. The whole counts, as a
   * name, when nothing else is asked for by its name.
   */
  day?: 'whole' | 'part'
  /** Rarity in the language at large, independent of anybody's data. */
  rarity: number
  /** Whether the language has it: what it has not may be a typing error. */
  isKnown: boolean
}

/** A query of which the vectors are not known yet. */
export type ExpectedQuery = Omit<SearchQuery, 'parts'>

/** A query whose words still stand in its text. */
export type Question = ExpectedQuestion & Pick<SearchQuery, 'parts'>

/** The same while its vectors are made. */
export type ExpectedQuestion = {
  text: string
  /** Of the model that makes them. */
  calibration: Calibration
}

export type SearchQuery = {
  /** One for each piece of the query; nearly always one. */
  parts: QueryPart[]
  /** Each once. */
  terms: QueryTerm[]
  /** Whether the query asks for something, rather than states it. */
  asks: boolean
  /** Of the text; see identity.ts. */
  identity: string
  /** Of the model that made the vectors, as this query is judged by it: see search-query.ts. */
  calibration: Calibration
}
