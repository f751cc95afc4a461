// The candidates of a search in a space that is too large to score every memory of it: for each part of the query
// the memories with the nearest rows, by the index of vectors or by a scan (of all rows, or of those without a
// place in the index yet); and the memories with the rarest of the query's terms. Limits count memories and not
// rows, so a memory of many rows is one candidate. plans.ts says what steers PostgreSQL's planner.
// decisions/2026-11-21-postgres-search.md
import type { QueryPart, SearchQuery } from '../../../retrieval/evidence.ts'
import type { WeighedTerm } from '../../../retrieval/weighing.ts'
import { type Condition, whereOf } from '../conditions.ts'
import { vectorBytes } from '../connection/binary.ts'
import {
  prepared,
  type Statement,
  type Transaction,
  type Value,
} from '../connection/transaction.ts'
import type { TermCounts } from '../upkeep/term-counts.ts'
import type { Place } from './evidence.ts'
import { listedPieces } from './listed.ts'
import { amongNumbers, amongPassing, isOfPassing, type Passing } from './passing.ts'
import { askedOfEach, eachByItself, inOrderOfIndex, oneByItself } from './plans.ts'

/** Memories for each part of the query. */
const NEAREST_MAX = 200
/** How many memories are taken for their terms, and how many rows of the rarest terms are read for that. */
export type TermsCut = { memories: number; rows: number }
export const FIRST_BY_TERMS: TermsCut = { memories: 200, rows: 3_000 }
/** When the first ones leave few results: those that reach a threshold by their terms. */
export const MORE_BY_TERMS: TermsCut = { memories: 3_000, rows: 30_000 }

/** Rows that are read of the index at first, since a memory seldom has more than a few. */
const INDEX_ROWS = 200
/** When they belong to too few memories, so many times as many are read, up to INDEX_ROWS_MAX. */
const INDEX_ROWS_GROWTH = 4
const INDEX_ROWS_MAX = 12_800
/** Memories that the index has to find, however few are asked for: the ranking has to have a choice. */
const INDEX_MEMORIES_MIN = 50

/** How many memories from the index are enough. */
export const memoriesToChooseFrom = (limit: number): number =>
  Math.min(NEAREST_MAX, Math.max(INDEX_MEMORIES_MIN, 2 * limit))

/**
 * The index goes on until it has enough rows that pass the filter. They come nearly in the order of their distance:
 * in strict order it would leave out those that it comes upon late.
 */
export const INDEX_SETTINGS = `SET LOCAL hnsw.iterative_scan = relaxed_order;
  SET LOCAL hnsw.ef_search = ${INDEX_ROWS}`

/** Memories of a list, the nearest first, or nearly so. */
export type Nearest = {
  numbers: number[]
  /** No row of a memory that is not in the list lies nearer; undefined when the list was not cut. */
  furthest: number | undefined
}
type Row = { no: number; cosine: number }
type FilteredQuery = { query: SearchQuery; dimension: number; passing: Passing | undefined }

/**
 * By the index. One list for each part of the query. One that is not cut need not tell of every row:
 * the index may end early.
 */
export function nearestByIndex(
  transaction: Transaction,
  place: Place,
  asked: FilteredQuery & { limit: number },
): Promise<Nearest[]> {
  const memoriesMin = memoriesToChooseFrom(asked.limit)
  return indexed(transaction, place, asked, { memoriesMin, rowsMax: INDEX_ROWS })
}

async function indexed(
  transaction: Transaction,
  place: Place,
  { query, dimension, passing }: FilteredQuery,
  { memoriesMin, rowsMax }: { memoriesMin: number; rowsMax: number },
): Promise<Nearest[]> {
  const type = `halfvec(${dimension})`
  const conditions = passing?.conditions ?? []
  const statement = prepared<Row>(
    `SELECT memory_no AS no, -(code::${type} <#> $2::vector::${type}) AS cosine FROM pieces
     WHERE space_no = $1 AND generation = ${place.generation} AND code IS NOT NULL
       ${amongPassing(conditions)}
     ORDER BY code::${type} <#> $2::vector::${type} LIMIT ${rowsMax}`,
  )
  const { values } = whereOf(conditions)
  const lists = await inOrderOfIndex(transaction, () =>
    eachPart(transaction, statement, place, query.parts, values),
  )
  const nearest = lists.map((rows) => nearestIn(rows, rowsMax))
  if (rowsMax === INDEX_ROWS_MAX) return nearest
  const isShort = ({ numbers, furthest }: Nearest): boolean =>
    furthest !== undefined && numbers.length < memoriesMin
  const parts = query.parts.filter((_, part) => isShort(nearest[part] ?? NONE))
  if (parts.length === 0) return nearest
  const wider = await indexed(
    transaction,
    place,
    { query: { ...query, parts }, dimension, passing },
    { memoriesMin, rowsMax: rowsMax * INDEX_ROWS_GROWTH },
  )
  return nearest.map((list) => (isShort(list) ? (wider.shift() ?? list) : list))
}

/** By a scan of the rows that the index does not have yet, or of all. */
export function nearestByScan(
  transaction: Transaction,
  place: Place,
  { query, passing, rows }: FilteredQuery & { rows: 'without-code' | 'all' },
): Promise<Nearest[]> {
  const isAll = rows === 'all'
  const conditions = (isAll ? passing?.numbers.conditions : passing?.conditions) ?? []
  const among = isAll ? amongNumbers(passing?.numbers) : amongPassing(conditions)
  const from = `pieces WHERE space_no = $1 AND generation = ${place.generation}
    ${isAll ? '' : 'AND code IS NULL'} ${among}`
  return scanned(transaction, place, query, { from, values: whereOf(conditions).values })
}

/** By a scan of the rows of these memories. */
export const nearestOf = (
  transaction: Transaction,
  place: Place,
  query: SearchQuery,
  numbers: readonly number[],
): Promise<Nearest[]> =>
  scanned(transaction, place, query, {
    from: listedPieces(place.generation, '$3'),
    values: [numbers],
  })

/** Every memory has one place, that of its nearest row. */
async function scanned(
  transaction: Transaction,
  place: Place,
  { parts }: SearchQuery,
  { from, values }: { from: string; values: readonly Value[] },
): Promise<Nearest[]> {
  const statement = prepared<Row>(
    newestOfEqual(
      `SELECT memory_no AS no, max(-(vector <#> $2::vector)) AS cosine FROM ${from} GROUP BY memory_no`,
      { by: 'cosine', max: NEAREST_MAX },
    ),
  )
  const lists = await eachPart(transaction, statement, place, parts, values)
  return lists.map((rows) => nearestIn(rows, NEAREST_MAX))
}

/**
 * The first of a list, the greatest first. Of those that are equal at its end, the newest: numbers of
 * memories do not say which these are, since every instance takes its own in advance.
 */
const newestOfEqual = (list: string, { by, max }: { by: string; max: number }): string =>
  `SELECT first.no, first.${by} FROM (
     ${list} ORDER BY ${by} DESC FETCH FIRST ${max} ROWS WITH TIES) AS first
   ${oneByItself('SELECT created_at, id FROM memories WHERE space_no = $1 AND no = first.no', 'memory')}
   ORDER BY first.${by} DESC, memory.created_at DESC, memory.id DESC LIMIT ${max}`

const eachPart = (
  transaction: Transaction,
  statement: Statement<Row>,
  { space }: Place,
  parts: readonly QueryPart[],
  values: readonly Value[],
): Promise<Row[][]> =>
  Promise.all(
    parts.map(({ vector }) => transaction.all(statement, [space, vectorBytes(vector), ...values])),
  )

const nearestIn = (rows: readonly Row[], rowsMax: number): Nearest => ({
  numbers: [...new Set(rows.map(({ no }) => no))],
  furthest: rows.length === rowsMax ? rows.at(-1)?.cosine : undefined,
})

const NONE: Nearest = { numbers: [], furthest: undefined }

export type WithTerms = {
  numbers: number[]
  /** Whether no other memory has one of the terms. */
  isWhole: boolean
  /** What share of the terms' weight a memory can have that is not among them. */
  coverageOfOthers: number
  othersCanHaveNames: boolean
}

/**
 * Memories with one of the forms, those with more weight of the query's terms first, in however many of their pieces
 * and in however many forms they have it. Parameters: `$1` space, `$2` generation, `$3` to `$5` the forms with place
 * and share of their terms, from `$6` on those of `passes`.
 */
export async function memoriesWithTerms(
  transaction: Transaction,
  { space, generation }: Place,
  asked: {
    terms: readonly WeighedTerm[]
    identity: string
    counts: TermCounts
    conditions: readonly Condition[]
    /** Those that pass the conditions, where they are known. */
    passing: readonly number[] | undefined
    cut: TermsCut
  },
): Promise<WithTerms> {
  const { cut } = asked
  const { read, left } = rarest(asked.terms, asked.counts, cut.rows)
  const { where, values } = passes(asked)
  const rows = await transaction.all(
    prepared<{ no: number; share: number }>(
      newestOfEqual(
        `SELECT memory_no AS no, sum(share) AS share FROM (
         SELECT DISTINCT memory_no, asked.place, asked.share
         FROM unnest($3::text[], $4::int[], $5::float8[]) AS asked (form, place, share)
         ${eachByItself(
           `SELECT DISTINCT memory_no FROM piece_terms
           WHERE space_no = $1 AND generation = $2 AND term = asked.form`,
           'piece_terms',
         )}
         ${where}) AS found GROUP BY memory_no`,
        { by: 'share', max: cut.memories },
      ),
    ),
    [
      space,
      generation,
      [...read.map(({ form }) => form), asked.identity],
      [...read.map(({ term }) => asked.terms.indexOf(term)), -1],
      [...read.map(({ term }) => term.share), 1],
      ...values,
    ],
  )
  const isCut = rows.length === cut.memories
  const unread = [...new Set(left.map(({ term }) => term))]
  const hasNames = asked.terms.some(({ isName }) => isName)
  return {
    numbers: rows.map(({ no }) => no),
    isWhole: !isCut && unread.length === 0,
    coverageOfOthers:
      (isCut ? (rows.at(-1)?.share ?? 0) : 0) + unread.reduce((sum, { share }) => sum + share, 0),
    othersCanHaveNames: hasNames && (isCut || unread.some(({ isName }) => isName)),
  }
}

/**
 * Of rows of terms, with its parameters from `$6` on. Asked of each: joined, the planner expects one memory to pass,
 * and looks up every one with every term.
 */
function passes({
  conditions,
  passing,
}: {
  conditions: readonly Condition[]
  passing: readonly number[] | undefined
}): { where: string; values: Value[] } {
  if (passing !== undefined) {
    const isAmong = 'piece_terms.memory_no IN (SELECT unnest($6::bigint[]))'
    return { where: `WHERE ${askedOfEach(isAmong)}`, values: [passing] }
  }
  if (conditions.length === 0) return { where: '', values: [] }
  const { values } = whereOf(conditions)
  return { where: `WHERE ${isOfPassing('piece_terms.memory_no', conditions, 5)}`, values }
}

/** The forms of the terms, the rarest first, as far as so many rows are read, and those that are left. */
function rarest(terms: readonly WeighedTerm[], counts: TermCounts, rowsMax: number) {
  const forms = terms
    .flatMap((term) => term.forms.map((form) => ({ form, term, memories: counts.with(form) })))
    .filter(({ memories }) => memories > 0)
    .sort((one, other) => one.memories - other.memories)
  let rows = 0
  const isRead = forms.map(({ memories }) => {
    rows += memories
    return rows <= rowsMax
  })
  return {
    read: forms.filter((_, place) => isRead[place]),
    left: forms.filter((_, place) => !isRead[place]),
  }
}
