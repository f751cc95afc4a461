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
import { readDoubles, readInts8, vectorBytes } from './binary.ts'
import { prepared, type Transaction } from './database.ts'

export type Place = { space: SpaceId; generation: number }

type EvidenceOfMemory = { no: number; id: string; createdAt: number }

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
/**
 * Of the rows in the order of memories and parts. `kinds` has a byte for each, `forms` a line for each
 * that is a piece: the asked forms that it has.
 */
type RowsRow = {
  numbers: Aggregate
  kinds: Aggregate
  forms: string | null
  common: Aggregate
} & Record<`cosine${number}`, Aggregate>

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
  const forms = [...terms.flatMap((term) => term.forms), ASKING_MARK, query.identity]
  const values = among === 'all' ? [] : [among]
  const [memories, rows] = await Promise.all([
    transaction.one(memoriesStatement(among), [space, ...values]),
    transaction.one(rowsStatement(among, vectors.length), [
      space,
      generation,
      [...new Set(forms)],
      ...vectors,
      ...values,
    ]),
  ])
  if (memories === undefined || rows === undefined) {
    throw new Error('An aggregate answers with one row.')
  }
  return build({ memories, rows }, { terms, identity: query.identity, parts: vectors.length })
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
  const products = cosines.map((part) => `-(vector <#> $${part + 4}::vector) AS cosine${part}`)
  return prepared<RowsRow>(
    `SELECT ${together('int8send(memory_no)')} AS numbers, ${together('kind')} AS kinds,
       string_agg(forms, E'\\n') AS forms, ${together('float8send(common)')} AS common,
       ${columns.join(', ')}
     FROM (SELECT memory_no, COALESCE(commonness, 'NaN') AS common,
         CASE WHEN terms IS NULL THEN '\\x00'::bytea ELSE '\\x0${PIECE}'::bytea END AS kind,
         CASE WHEN terms IS NOT NULL THEN array_to_string(ARRAY(
           SELECT term FROM unnest(terms) AS term WHERE term = ANY($3::text[])), ' ') END AS forms,
         ${products.join(', ')}
       FROM pieces WHERE space_no = $1 AND generation = $2
         ${only(among, 'memory_no', parts + 3)}
       ORDER BY memory_no, part) AS chosen`,
  )
}

function build(
  read: { memories: MemoriesRow; rows: RowsRow },
  asked: { terms: readonly WeighedTerm[]; identity: string; parts: number },
): EvidenceTable {
  const times = readInts8(read.memories.times)
  const ids = read.memories.ids?.split(',') ?? []
  const memories = readInts8(read.memories.numbers).map((no, memory) => ({
    no,
    id: ids[memory] ?? '',
    createdAt: times[memory] ?? 0,
  }))
  const units = unitsOfMemories(read.rows)
  const columns = new MemoryColumns()
  const unitForms: ReadonlySet<string>[] = []
  const same = new Set<number>()
  for (const [memory, { no }] of memories.entries()) {
    const own = units.get(no) ?? []
    const added = columns.add(
      own.map(({ rows }) => rows),
      own.some(({ forms }) => forms.has(ASKING_MARK)),
    )
    for (const [place, unit] of added.units.entries()) {
      unitForms[unit] = own[place]?.forms ?? NO_FORMS
    }
    if (own[0]?.forms.has(asked.identity)) same.add(memory)
  }
  const hasAny = (unit: number, forms: readonly string[]): boolean =>
    forms.some((form) => unitForms[unit]?.has(form))
  return {
    memories,
    columns,
    commonness: Float32Array.from(readDoubles(read.rows.common)),
    cosines: Array.from({ length: asked.parts }, (_, part) =>
      readDoubles(read.rows[`cosine${part}`] ?? null),
    ),
    matches: matchesOf(asked.terms, columns.unitEnd, hasAny),
    same,
    hasAny,
  }
}

const NO_FORMS: ReadonlySet<string> = new Set()

type Unit = { rows: number[]; forms: ReadonlySet<string> }

/** By the number of the memory: its pieces with their rows and the asked forms that they have. */
function unitsOfMemories({ numbers, kinds, forms }: RowsRow): Map<number, Unit[]> {
  const units = new Map<number, Unit[]>()
  const lines = (forms?.split('\n') ?? []).values()
  for (const [row, no] of readInts8(numbers).entries()) {
    const known = units.get(no)
    const own = known ?? []
    if (known === undefined) units.set(no, own)
    if (kinds?.[row] === PIECE) own.push({ rows: [row], forms: formsIn(lines.next().value ?? '') })
    else own.at(-1)?.rows.push(row)
  }
  return units
}

const formsIn = (line: string): ReadonlySet<string> =>
  line === '' ? NO_FORMS : new Set(line.split(' '))

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
