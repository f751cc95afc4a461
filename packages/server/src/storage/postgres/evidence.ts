// What a search has to know about memories to score them, read from the rows: which pieces and
// sentences each has, how near each lies to every part of the query, and which of the query's terms
// each piece has. Cosines are those of the database, 32-bit sums, so they are true within a bound. Of the
// terms only those come over that were asked for: a long text has thousands.
import { ASKING_MARK } from '../../retrieval/asking.ts'
import type { SearchQuery } from '../../retrieval/evidence.ts'
import type { WeighedTerm } from '../../retrieval/weighing.ts'
import { MemoryColumns } from '../ranking/memory-columns.ts'
import type { Matches } from '../ranking/strengths.ts'
import type { SpaceId } from '../store.ts'
import { readDoubles, readInts4, readInts8, vectorBytes } from './binary.ts'
import { prepared, type Transaction } from './database.ts'

export type Place = { space: SpaceId; generation: number }

export type EvidenceOfMemory = { no: number; id: string; createdAt: number }

export type EvidenceTable = {
  /** By the number of a memory in the columns. */
  memories: EvidenceOfMemory[]
  columns: MemoryColumns
  /** By row. */
  commonness: Float32Array
  /** By part of the query, then by row. */
  cosines: Float64Array[]
  matches: Matches
  /** Memories with the very text of the query. */
  same: ReadonlySet<number>
  hasAny: (unit: number, forms: readonly string[]) => boolean
}

type Aggregate = Buffer | null
type MemoriesRow = { numbers: Aggregate; times: Aggregate; ids: string | null }
/** Of the rows in the order of memories and parts. `kinds` has a byte for each. */
type RowsRow = { numbers: Aggregate; kinds: Aggregate; common: Aggregate } & Record<
  `cosine${number}`,
  Aggregate
>
/** A form that was asked for, by its place from 1, in a part of a memory. */
type FormsRow = { forms: Aggregate; numbers: Aggregate; parts: Aggregate }

/** Of a row that is a piece; the others are its sentences. */
const PIECE = 1

const together = (expression: string): string => `string_agg(${expression}, ''::bytea)`

/** The memories of a search, by their numbers, or all of the space. */
export type Among = readonly number[] | 'all'

/** Reads all memories among them. */
export async function readEvidence(
  transaction: Transaction,
  { space, generation }: Place,
  { query, terms }: { query: SearchQuery; terms: readonly WeighedTerm[] },
  among: Among,
): Promise<EvidenceTable> {
  const vectors = query.parts.map(({ vector }) => vectorBytes(vector))
  const asked = [...terms.flatMap((term) => term.forms), ASKING_MARK, query.identity]
  const forms = [...new Set(asked)]
  const values = among === 'all' ? [] : [among]
  const [memories, rows, having] = await Promise.all([
    transaction.one(memoriesStatement(among), [space, ...values]),
    transaction.one(rowsStatement(among, vectors.length), [
      ...[space, generation],
      ...vectors,
      ...values,
    ]),
    transaction.one(formsStatement(among), [space, generation, forms, ...values]),
  ])
  if (memories === undefined || rows === undefined || having === undefined) {
    throw new Error('An aggregate answers with one row.')
  }
  const parts = vectors.length
  return build({ memories, rows, having }, { terms, forms, identity: query.identity, parts })
}

/**
 * Continues a WHERE clause; `before` counts the parameters that come first. Numbers, and no join: the
 * plan is the same whether or not the database knows yet how its tables are filled.
 */
const only = (among: Among, column: string, before: number): string =>
  among === 'all' ? '' : `AND ${column} = ANY($${before + 1}::bigint[])`

const memoriesStatement = (among: Among) =>
  prepared<MemoriesRow>(
    `SELECT ${together('int8send(no)')} AS numbers, ${together('int8send(created_at)')} AS times,
       string_agg(id, ',') AS ids
     FROM (SELECT no, created_at, id FROM memories WHERE space_no = $1
       ${only(among, 'no', 1)} ORDER BY no) AS chosen`,
  )

function rowsStatement(among: Among, parts: number) {
  const cosines = Array.from({ length: parts }, (_, part) => part)
  const columns = cosines.map((part) => `${together(`float8send(cosine${part})`)} AS cosine${part}`)
  const products = cosines.map((part) => `-(vector <#> $${part + 3}::vector) AS cosine${part}`)
  return prepared<RowsRow>(
    `SELECT ${together('int8send(memory_no)')} AS numbers, ${together('kind')} AS kinds,
       ${together('float8send(common)')} AS common, ${columns.join(', ')}
     FROM (SELECT memory_no, COALESCE(commonness, 'NaN') AS common,
         CASE WHEN terms IS NULL THEN '\\x00'::bytea ELSE '\\x0${PIECE}'::bytea END AS kind,
         ${products.join(', ')}
       FROM pieces WHERE space_no = $1 AND generation = $2
         ${only(among, 'memory_no', parts + 2)}
       ORDER BY memory_no, part) AS chosen`,
  )
}

const formsStatement = (among: Among) =>
  prepared<FormsRow>(
    `SELECT ${together('int4send(form)')} AS forms, ${together('int8send(memory_no)')} AS numbers,
       ${together('int4send(part)')} AS parts
     FROM (SELECT array_position($3::text[], term) AS form, memory_no, part FROM piece_terms
       WHERE space_no = $1 AND generation = $2 AND term = ANY($3::text[])
         ${only(among, 'memory_no', 3)}) AS found`,
  )

type Asked = {
  terms: readonly WeighedTerm[]
  /** Each once. */
  forms: readonly string[]
  identity: string
  /** Of the query. */
  parts: number
}

function build(
  read: { memories: MemoriesRow; rows: RowsRow; having: FormsRow },
  { terms, forms, identity, parts }: Asked,
): EvidenceTable {
  const times = readInts8(read.memories.times)
  const ids = read.memories.ids?.split(',') ?? []
  const memories = readInts8(read.memories.numbers).map((no, memory) => ({
    no,
    id: ids[memory] ?? '',
    createdAt: times[memory] ?? 0,
  }))
  const found = readInts4(read.having.forms)
  const columns = new MemoryColumns()
  const layout = layOut(memories, read.rows, columns)
  const unitsWith = new Map<string, Uint8Array>()
  const owners = readInts8(read.having.numbers)
  const places = readInts4(read.having.parts)
  for (const [match, place] of found.entries()) {
    const form = forms[place - 1] ?? ''
    const unit = layout.unitAt(owners[match] ?? 0, places[match] ?? 0)
    if (unit === undefined) continue
    const having = unitsWith.get(form) ?? new Uint8Array(columns.unitEnd)
    unitsWith.set(form, having)
    having[unit] = 1
  }
  const hasAny = (unit: number, some: readonly string[]): boolean =>
    some.some((form) => unitsWith.get(form)?.[unit] === 1)
  const same = new Set<number>()
  for (const memory of memories.keys()) {
    const units = columns.unitsOf(memory)
    if (units.some((unit) => hasAny(unit, [ASKING_MARK]))) columns.isAsking[memory] = 1
    if (hasAny(units[0] ?? -1, [identity])) same.add(memory)
  }
  return {
    memories,
    columns,
    commonness: Float32Array.from(readDoubles(read.rows.common)),
    cosines: Array.from({ length: parts }, (_, part) =>
      readDoubles(read.rows[`cosine${part}`] ?? null),
    ),
    matches: matchesOf(terms, columns.unitEnd, hasAny),
    same,
    hasAny,
  }
}

/** Puts the rows of the memories into the columns; both come in the order of the memories' numbers. */
function layOut(
  memories: readonly EvidenceOfMemory[],
  { numbers, kinds }: RowsRow,
  columns: MemoryColumns,
) {
  const owners = readInts8(numbers)
  const firstRows = new Map<number, number>()
  const unitOfRow = new Int32Array(owners.length).fill(-1)
  let row = 0
  for (const { no } of memories) {
    firstRows.set(no, row)
    const pieces: number[][] = []
    for (; owners[row] === no; row += 1) {
      if (kinds?.[row] === PIECE) pieces.push([row])
      else pieces.at(-1)?.push(row)
    }
    const { units } = columns.add(pieces, false)
    for (const [piece, unit] of units.entries()) unitOfRow[pieces[piece]?.[0] ?? 0] = unit
  }
  return {
    /** The piece that is this part of a memory. The parts of a memory are counted from 0. */
    unitAt(no: number, part: number): number | undefined {
      const first = firstRows.get(no)
      return first === undefined ? undefined : unitOfRow[first + part]
    },
  }
}

function matchesOf(
  terms: readonly WeighedTerm[],
  units: number,
  hasAny: EvidenceTable['hasAny'],
): Matches {
  const coverage = new Float64Array(units)
  const nameCoverage = new Float64Array(units)
  const names = terms.filter(({ isName }) => isName).length
  for (const { forms, isName, share } of terms) {
    for (let unit = 0; unit < units; unit += 1) {
      if (!hasAny(unit, forms)) continue
      coverage[unit] = (coverage[unit] ?? 0) + share
      if (isName) nameCoverage[unit] = (nameCoverage[unit] ?? 0) + 1 / names
    }
  }
  return { coverage, nameCoverage }
}
