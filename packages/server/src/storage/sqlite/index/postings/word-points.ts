// What the words of a query are worth to each row of a space, as points beside the rows. They can be laid
// out before the vectors of the query are there. There is room for those of one query: the first that is
// expected keeps it until it is searched for or another search takes the room, so that nothing is laid out
// twice while many ask. decisions/2026-11-23-expected-searches.md
import type { QueryTerm, SearchQuery } from '../../../../retrieval/evidence.ts'
import { namesIn, type WeighedTerm } from '../../../../retrieval/weighing.ts'
import type { MemoryRows } from '../packed/memory-rows.ts'
import type { Points } from '../packed/points.ts'
import { CHUNK_ROWS, type CodeMemory } from '../scan/code-memory.ts'
import type { TermIndex } from './term-index.ts'

/** What the points are made from: the tables of a space. */
type WordTables = {
  readonly memory: CodeMemory
  readonly rows: Pick<MemoryRows, 'end'>
  readonly terms: Pick<TermIndex, 'weigh' | 'addPoints'>
  /** Memories. */
  readonly size: number
  /** As long as the number is the same, so are the tables. */
  readonly changes: number
}

/** In units of strength: what one point is worth, all terms that are found, and all names. */
export type WordWorth = { unit: number; coverage: number; names: number }

/** What the terms are worth as the space takes them. */
type WorthFor = (terms: readonly WeighedTerm[]) => WordWorth

export type WordPoints = {
  /** Weighed by what the space knows about them. */
  terms: readonly WeighedTerm[]
  worth: WordWorth
  /** They lie in the memory of the codes, until others are laid out. */
  points: Points
  /** Rows that have points, of which the last may not exist yet. */
  pointRows: number
  /** How far the points of a memory lie at most from what its terms are worth: points are whole. */
  pointsError: number
}

type Expected = {
  tables: WordTables
  /** Of the tables, when the points were laid out. */
  changes: number
  terms: readonly QueryTerm[]
  laidOut: WordPoints
}

export class WordPointsRoom {
  #expected: Expected | undefined
  /** How often points were laid out; the room has those of the last time. */
  #layouts = 0

  /** Ahead of `of` with the very same words, unless another query is expected. */
  expect(tables: WordTables, { terms }: Pick<SearchQuery, 'terms'>, worthFor: WorthFor): void {
    if (this.#expected !== undefined) return
    const { changes } = tables
    this.#expected = { tables, changes, terms, laidOut: this.#layOut(tables, terms, worthFor) }
  }

  of(tables: WordTables, { terms }: Pick<SearchQuery, 'terms'>, worthFor: WorthFor): WordPoints {
    const expected = this.#expected
    this.#expected = undefined
    const isIt =
      expected !== undefined &&
      expected.tables === tables &&
      expected.changes === tables.changes &&
      expected.terms === terms &&
      isSame(expected.laidOut.worth, worthFor(expected.laidOut.terms))
    return isIt ? expected.laidOut : this.#layOut(tables, terms, worthFor)
  }

  /**
   * Keeps the points of a search during which others may come in between. What is returned puts them back
   * when others have the room by then; rows that are new have no points.
   */
  keep(
    { memory, rows }: Pick<WordTables, 'memory' | 'rows'>,
    { points, pointRows }: WordPoints,
  ): () => void {
    const kept = new Int16Array(memory.buffer, points.address, pointRows).slice()
    let own = this.#layouts
    let room = pointRows
    return () => {
      const needed = rowsWithPoints(rows.end)
      if (own === this.#layouts && needed <= room) return
      this.#expected = undefined
      this.#layouts += 1
      room = Math.max(pointRows, needed)
      points.address = memory.zeroPoints(room)
      new Int16Array(memory.buffer, points.address, pointRows).set(kept)
      own = this.#layouts
    }
  }

  #layOut(...what: Parameters<typeof layOut>): WordPoints {
    this.#layouts += 1
    return layOut(...what)
  }
}

function layOut(
  tables: WordTables,
  queryTerms: readonly QueryTerm[],
  worthFor: WorthFor,
): WordPoints {
  const { rows, memory } = tables
  const terms = tables.terms.weigh(queryTerms, tables.size)
  const worth = worthFor(terms)
  const { unit, coverage, names } = worth
  const pointRows = rowsWithPoints(rows.end)
  const points = { unit, address: memory.zeroPoints(pointRows) }
  const nameCount = namesIn(terms)
  const worthOf = ({ share, isName }: WeighedTerm): number =>
    coverage * share + (isName ? names / nameCount : 0)
  tables.terms.addPoints(
    memory,
    { points: points.address, rows: pointRows },
    terms.map((term) => ({ forms: term.forms, worth: Math.round(worthOf(term) / unit) })),
  )
  return { terms, worth, points, pointRows, pointsError: (unit * terms.length) / 2 }
}

const isSame = (one: WordWorth, other: WordWorth): boolean =>
  one.unit === other.unit && one.coverage === other.coverage && one.names === other.names

const rowsWithPoints = (end: number): number => Math.ceil(end / CHUNK_ROWS) * CHUNK_ROWS
