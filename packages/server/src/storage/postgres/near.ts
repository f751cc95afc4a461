// Candidates of a search in a space that is too large to be looked at whole: the rows nearest to each
// part of the query, by the index of vectors and, for what was created a moment ago, by a scan; and
// the memories with the query's terms, the rarest first. The ranking scores them all alike.
import type { SearchQuery } from '../../retrieval/evidence.ts'
import type { WeighedTerm } from '../../retrieval/weighing.ts'
import { vectorBytes } from './binary.ts'
import { type Condition, whereOf } from './conditions.ts'
import { prepared, type Transaction } from './database.ts'
import type { Place } from './evidence.ts'
import type { TermCounts } from './term-counts.ts'

/** Rows for each part of the query. */
export const NEAREST_MAX = 200
/** Memories by their terms. */
const WITH_TERMS_MAX = 200
/** Rows of terms that are read for it: the rarest terms, as far as that goes. */
const TERM_ROWS_MAX = 3_000

/** Candidates in the order of their distance, however few of those that are visited pass the filter. */
export const INDEX_SETTINGS = `SET LOCAL hnsw.iterative_scan = strict_order;
  SET LOCAL hnsw.ef_search = ${NEAREST_MAX}`
// Without sorting the planner has no way but the index.
const SORTING_OFF = prepared('SET LOCAL enable_sort = off')
const SORTING_ON = prepared('SET LOCAL enable_sort = on')

export type Near = { no: number; cosine: number }
type Asked = { query: SearchQuery; dimension: number; conditions: readonly Condition[] }

/** By the index. One list for each part of the query, nearest first. */
export async function nearestByIndex(
  transaction: Transaction,
  place: Place,
  { query, dimension, conditions }: Asked,
): Promise<Near[][]> {
  const type = `halfvec(${dimension})`
  const statement = prepared<Near>(
    `SELECT memory_no AS no, -(code::${type} <#> $2::vector::${type}) AS cosine FROM pieces
     WHERE space_no = $1 AND generation = ${place.generation} AND code IS NOT NULL
       ${among(conditions, 2)}
     ORDER BY code::${type} <#> $2::vector::${type} LIMIT ${NEAREST_MAX}`,
  )
  const [, nearest] = await Promise.all([
    transaction.run(SORTING_OFF, []),
    eachPart(transaction, statement, place, { query, dimension, conditions }),
    transaction.run(SORTING_ON, []),
  ])
  return nearest
}

/** By a scan of the rows that the index does not have yet, or of all. */
export function nearestByScan(
  transaction: Transaction,
  place: Place,
  asked: Asked & { rows: 'without-code' | 'all' },
): Promise<Near[][]> {
  const condition = `${asked.rows === 'all' ? '' : 'AND code IS NULL'} ${among(asked.conditions, 2)}`
  return eachPart(transaction, scanStatement(place, condition), place, asked)
}

/** By a scan of the rows of these memories. */
export function nearestOf(
  transaction: Transaction,
  place: Place,
  query: SearchQuery,
  numbers: readonly number[],
): Promise<Near[][]> {
  const statement = scanStatement(place, 'AND memory_no = ANY($3::bigint[])')
  return Promise.all(
    query.parts.map(({ vector }) =>
      transaction.all(statement, [place.space, vectorBytes(vector), numbers]),
    ),
  )
}

const scanStatement = ({ generation }: Place, condition: string) =>
  prepared<Near>(
    `SELECT no, cosine FROM (
       SELECT memory_no AS no, -(vector <#> $2::vector) AS cosine FROM pieces
       WHERE space_no = $1 AND generation = ${generation} ${condition}
       OFFSET 0) AS scanned
     ORDER BY cosine DESC LIMIT ${NEAREST_MAX}`,
  )

function eachPart(
  transaction: Transaction,
  statement: ReturnType<typeof prepared<Near>>,
  { space }: Place,
  { query, conditions }: Asked,
): Promise<Near[][]> {
  const { values } = whereOf(conditions)
  return Promise.all(
    query.parts.map(({ vector }) =>
      transaction.all(statement, [space, vectorBytes(vector), ...values]),
    ),
  )
}

const among = (conditions: readonly Condition[], before: number): string =>
  conditions.length === 0
    ? ''
    : `AND EXISTS (SELECT 1 FROM memories WHERE memories.space_no = $1
         AND memories.no = pieces.memory_no AND ${whereOf(conditions, before).where})`

export type WithTerms = {
  numbers: number[]
  /** What share of the terms' weight a memory can have that is not among them. */
  coverageOfOthers: number
  othersCanHaveNames: boolean | undefined
}

/** Memories with one of the forms, those with more weight of the query's terms first. */
export async function memoriesWithTerms(
  transaction: Transaction,
  { space, generation }: Place,
  asked: {
    terms: readonly WeighedTerm[]
    identity: string
    counts: TermCounts
    conditions: readonly Condition[]
  },
): Promise<WithTerms> {
  const { read, left } = rarest(asked.terms, asked.counts)
  const { where, values } = whereOf(asked.conditions, 4)
  const rows = await transaction.all(
    prepared<{ no: number; share: number }>(
      `SELECT memory_no AS no, sum(share) AS share FROM (
         SELECT memory_no, asked.share FROM unnest($3::text[], $4::float8[]) AS asked (form, share)
         JOIN piece_terms ON piece_terms.space_no = $1 AND generation = $2
           AND piece_terms.term = asked.form
         ${
           where === ''
             ? ''
             : `WHERE EXISTS (SELECT 1 FROM memories WHERE memories.space_no = $1
                  AND memories.no = piece_terms.memory_no AND ${where})`
         }) AS found
       GROUP BY memory_no ORDER BY sum(share) DESC, memory_no DESC LIMIT ${WITH_TERMS_MAX}`,
    ),
    [
      space,
      generation,
      [...read.map(({ form }) => form), asked.identity],
      [...read.map(({ term }) => term.share), 1],
      ...values,
    ],
  )
  const isCut = rows.length === WITH_TERMS_MAX
  const unread = [...new Set(left.map(({ term }) => term))]
  const hasNames = asked.terms.some(({ isName }) => isName)
  return {
    numbers: rows.map(({ no }) => no),
    coverageOfOthers:
      (isCut ? (rows.at(-1)?.share ?? 0) : 0) + unread.reduce((sum, { share }) => sum + share, 0),
    othersCanHaveNames: hasNames ? isCut || unread.some(({ isName }) => isName) : undefined,
  }
}

/** The forms of the terms, the rarest first, as far as their rows are read, and those that are left. */
function rarest(terms: readonly WeighedTerm[], counts: TermCounts) {
  const forms = terms
    .flatMap((term) => term.forms.map((form) => ({ form, term, memories: counts.with(form) })))
    .filter(({ memories }) => memories > 0)
    .sort((one, other) => one.memories - other.memories)
  let rows = 0
  const isRead = forms.map(({ memories }) => {
    rows += memories
    return rows <= TERM_ROWS_MAX
  })
  return {
    read: forms.filter((_, place) => isRead[place]),
    left: forms.filter((_, place) => !isRead[place]),
  }
}
