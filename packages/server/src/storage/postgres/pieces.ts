// Pieces as rows: vectors, terms, and the counts of terms, for one memory and one generation. What
// is written here goes into the transaction of whoever calls.
import type { Passage } from '../../retrieval/evidence.ts'
import type { PieceWithTerms } from '../pieces-with-terms.ts'
import type { SpaceId } from '../records.ts'
import { prepared, type Transaction } from './connection/transaction.ts'
import { oneByItself } from './search/plans.ts'

type PiecePlace = { space: SpaceId; generation: number; memoryNo: number }

/** The term that every memory counts for: its count is that of all memories. */
export const EVERY_MEMORY = ''

const INSERT_PIECES = prepared(
  `INSERT INTO pieces
     (space_no, generation, memory_no, part, start_offset, end_offset, commonness, terms, vector)
   SELECT $1, $2, $3, row.part, row.start_offset, row.end_offset, row.commonness,
     string_to_array(row.terms, ' '), row.vector::vector
   FROM unnest($4::int[], $5::int[], $6::int[], $7::float8[], $8::text[], $9::text[])
     AS row (part, start_offset, end_offset, commonness, terms, vector)`,
)
const INSERT_TERMS = prepared(
  `INSERT INTO piece_terms (space_no, generation, term, memory_no, part)
   SELECT $1, $2, row.term, $3, row.part FROM unnest($4::int[], $5::text[]) AS row (part, term)`,
)
const INSERT_UNCOUNTED = prepared(
  'INSERT INTO uncounted (space_no, generation, memory_no, terms) VALUES ($1, $2, $3, $4)',
)

type Row = Pick<Passage, 'start' | 'end' | 'commonness' | 'vector'> & {
  terms: string[] | undefined
}

/** A piece, then its sentences, then the next piece. */
const toRows = (pieces: readonly PieceWithTerms[]): Row[] =>
  pieces.flatMap(({ sentences, ...piece }) => [
    piece,
    ...sentences.map((sentence) => ({ ...sentence, terms: undefined })),
  ])

export async function insertPieces(
  transaction: Transaction,
  { space, generation, memoryNo }: PiecePlace,
  pieces: readonly PieceWithTerms[],
): Promise<void> {
  const rows = toRows(pieces)
  const postings = rows.flatMap(({ terms = [] }, part) => terms.map((term) => ({ term, part })))
  const terms = new Set(postings.map(({ term }) => term))
  const place = [space, generation, memoryNo]
  await Promise.all([
    transaction.run(INSERT_PIECES, [
      ...place,
      rows.map((_, part) => part),
      rows.map(({ start }) => start),
      rows.map(({ end }) => end),
      rows.map(({ commonness }) => commonness ?? null),
      rows.map((row) => row.terms?.join(' ') ?? null),
      rows.map(({ vector }) => toText(vector)),
    ]),
    transaction.run(INSERT_TERMS, [
      ...place,
      postings.map(({ part }) => part),
      postings.map(({ term }) => term),
    ]),
    transaction.run(INSERT_UNCOUNTED, [...place, [EVERY_MEMORY, ...terms]]),
  ])
}

// A memory that was counted is taken out of the counts; one that was not yet never gets there. The
// rows of the counts are locked in one order, so that two deletions never wait in a circle. A count
// that comes down to none goes, and its word with it: whoever counts that word meanwhile waits for the
// row, finds it gone, and begins anew.
const FORGET = prepared<{ generation: number }>(
  'DELETE FROM uncounted WHERE space_no = $1 AND memory_no = $2 RETURNING generation',
)
const TERMS_OF_MEMORY = prepared<{ generation: number; part: number; terms: string[] }>(
  `SELECT generation, part, terms FROM pieces
   WHERE space_no = $1 AND generation IN (SELECT no FROM generations) AND memory_no = $2
     AND terms IS NOT NULL`,
)
// The planner knows nothing of terms, which have no statistics. Asked for a list of them it takes them for
// most of the space, and reads all of it. So each term is looked up by its whole key, by itself or by
// what an insertion meets; and to go to a row by its place costs nothing, or the planner would
// rather look for the places among all rows of the space.
const BY_PLACE = prepared('SET LOCAL random_page_cost = 0')
const REMOVE_TERMS = prepared(
  `DELETE FROM piece_terms WHERE space_no = $1 AND generation = $2 AND ctid = ANY(ARRAY(
     SELECT found.place FROM unnest($4::int[], $5::text[]) AS own (part, term) ${oneByItself(
       `SELECT ctid AS place FROM piece_terms
       WHERE space_no = $1 AND generation = $2 AND term = own.term AND memory_no = $3
         AND part = own.part`,
       'found',
     )}))`,
)
// All of them are there; what is given to insert is the answer to one that is not.
const COUNT_DOWN = prepared(
  `INSERT INTO term_counts (space_no, generation, term, memories)
   SELECT $1, $2, term, 0 FROM unnest($3::text[]) AS term ORDER BY term COLLATE "C"
   ON CONFLICT (space_no, generation, term) DO UPDATE SET memories = term_counts.memories - 1`,
)
const REMOVE_NONE = prepared(
  `DELETE FROM term_counts WHERE space_no = $1 AND generation = $2 AND ctid = ANY(ARRAY(
     SELECT found.place FROM unnest($3::text[]) AS own (term) ${oneByItself(
       `SELECT ctid AS place, memories FROM term_counts
       WHERE space_no = $1 AND generation = $2 AND term = own.term`,
       'found',
     )}
     WHERE found.memories <= 0))`,
)

export type TermsToRemove = {
  memoryNo: number
  generation: number
  pieces: { part: number; terms: string[] }[]
  isCounted: boolean
}

/**
 * By generation, what the deletion of the memory's row does not take along: its terms, and its part in the
 * counts. It is not counted any more from here on.
 */
export async function findTerms(
  transaction: Transaction,
  space: SpaceId,
  memoryNo: number,
): Promise<TermsToRemove[]> {
  const [uncounted, rows] = await Promise.all([
    transaction.all(FORGET, [space, memoryNo]),
    transaction.all(TERMS_OF_MEMORY, [space, memoryNo]),
    transaction.run(BY_PLACE, []),
  ])
  const generations = new Set(rows.map((row) => row.generation))
  return Array.from(generations, (generation) => ({
    memoryNo,
    generation,
    pieces: rows.filter((row) => row.generation === generation),
    isCounted: !uncounted.some((row) => row.generation === generation),
  }))
}

export async function removeTerms(
  transaction: Transaction,
  space: SpaceId,
  { memoryNo, generation, pieces }: TermsToRemove,
): Promise<void> {
  await transaction.run(REMOVE_TERMS, [
    space,
    generation,
    memoryNo,
    pieces.flatMap(({ part, terms }) => terms.map(() => part)),
    pieces.flatMap(({ terms }) => terms),
  ])
}

export async function countDown(
  transaction: Transaction,
  space: SpaceId,
  { generation, pieces, isCounted }: TermsToRemove,
): Promise<void> {
  if (!isCounted) return
  const terms = new Set(pieces.flatMap((piece) => piece.terms))
  // They travel together and are executed in this order.
  await Promise.all(
    [COUNT_DOWN, REMOVE_NONE].map((statement) =>
      transaction.run(statement, [space, generation, [EVERY_MEMORY, ...terms]]),
    ),
  )
}

/** Nine digits tell every 32-bit number from its neighbours. */
export const toText = (vector: Float32Array): string =>
  `[${Array.from(vector, (number) => number.toPrecision(9)).join(',')}]`
