// What a search has to know about memories to score them, read from the rows: which pieces and
// sentences each has, how near each lies to every part of the query, and which of the query's terms
// each piece has. Cosines are those of the database, 32-bit sums, so they are true within a bound.
import { ASKING_MARK } from '../../retrieval/asking.ts'
import type { SearchQuery } from '../../retrieval/evidence.ts'
import type { WeighedTerm } from '../../retrieval/weighing.ts'
import { MemoryColumns } from '../ranking/memory-columns.ts'
import type { Matches } from '../ranking/strengths.ts'
import type { SpaceId } from '../store.ts'
import { readDoubles, readInts8, vectorBytes } from './binary.ts'
import { prepared, type Transaction, type Value } from './database.ts'

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
type RowsRow = {
  numbers: Aggregate
  common: Aggregate
  terms: string | null
} & Record<`cosine${number}`, Aggregate>

/** Stands for a row without terms, which is a sentence: no term has this sign. */
const SENTENCE = '\u0001'

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
  const [memories, rows] = await Promise.all([
    transaction.one(memoriesStatement(among), [space, ...valuesOf(among)]),
    transaction.one(rowsStatement(among, vectors.length), [
      space,
      generation,
      ...vectors,
      ...valuesOf(among),
    ]),
  ])
  if (memories === undefined || rows === undefined) {
    throw new Error('An aggregate answers with one row.')
  }
  return build({ memories, rows }, { terms, forms, parts: vectors.length })
}

const valuesOf = (among: Among): Value[] => (among === 'all' ? [] : [among])

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
    `SELECT ${together('int8send(memory_no)')} AS numbers, ${together('float8send(common)')} AS common,
       string_agg(terms, E'\\n') AS terms,
       ${columns.join(', ')}
     FROM (SELECT memory_no, COALESCE(commonness, 'NaN') AS common, 
         COALESCE(array_to_string(terms, ' '), '${SENTENCE}') AS terms,
         ${products.join(', ')}
       FROM pieces WHERE space_no = $1 AND generation = $2
         ${only(among, 'memory_no', parts + 2)}
       ORDER BY memory_no, part) AS chosen`,
  )
}

function build(
  read: { memories: MemoriesRow; rows: RowsRow },
  asked: { terms: readonly WeighedTerm[]; forms: readonly string[]; parts: number },
): EvidenceTable {
  const times = readInts8(read.memories.times)
  const ids = read.memories.ids?.split(',') ?? []
  const memories = readInts8(read.memories.numbers).map((no, memory) => ({
    no,
    id: ids[memory] ?? '',
    createdAt: times[memory] ?? 0,
  }))
  const units = unitsOfMemories(read.rows, new Set(asked.forms))
  const columns = new MemoryColumns()
  const unitForms: ReadonlySet<string>[] = []
  const same = new Set<number>()
  const identity = asked.forms.at(-1) ?? ''
  for (const [memory, { no }] of memories.entries()) {
    const own = units.get(no) ?? []
    const forms = own.map((unit) => unit.forms)
    const isAsking = forms.some((each) => each.has(ASKING_MARK))
    const added = columns.add(
      own.map(({ rows }) => rows),
      isAsking,
    )
    for (const [place, unit] of added.units.entries()) unitForms[unit] = forms[place] ?? NO_FORMS
    if (forms[0]?.has(identity)) same.add(memory)
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
function unitsOfMemories(
  { numbers, terms }: RowsRow,
  asked: ReadonlySet<string>,
): Map<number, Unit[]> {
  const units = new Map<number, Unit[]>()
  const termsOf = terms?.split('\n') ?? []
  for (const [row, no] of readInts8(numbers).entries()) {
    const known = units.get(no)
    const own = known ?? []
    if (known === undefined) units.set(no, own)
    const line = termsOf[row] ?? ''
    if (line === SENTENCE) own.at(-1)?.rows.push(row)
    else own.push({ rows: [row], forms: formsIn(line, asked) })
  }
  return units
}

function formsIn(line: string, asked: ReadonlySet<string>): ReadonlySet<string> {
  const found = line.split(' ').filter((term) => asked.has(term))
  return found.length === 0 ? NO_FORMS : new Set(found)
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
