// What a search has to know about memories to score them, read from the rows: which pieces and
// sentences each has, how near each lies to every part of the query, and which of the query's terms
// each piece has. Cosines are those of the database, 32-bit sums, so they are true within a bound. Of the
// terms only those come over that were asked for: a long text has thousands.
import { ASKING_MARK } from '../../../retrieval/asking.ts'
import type { SearchQuery } from '../../../retrieval/evidence.ts'
import type { WeighedTerm } from '../../../retrieval/weighing.ts'
import type { RankedMemory, RankedPiece, Strengths } from '../../ranking/strengths.ts'
import type { SpaceId } from '../../records.ts'
import { readDoubles, readInts8, vectorBytes } from '../connection/binary.ts'
import { prepared, type Transaction } from '../connection/transaction.ts'
import { Turn } from '../turn.ts'
import { isAmong, listedMemories, listedPieces } from './listed.ts'

export type Place = { space: SpaceId; generation: number }

type Forms = ReadonlySet<string>

/** With those of the asked forms that it has. */
type Piece = RankedPiece & { forms: Forms }

export type EvidenceOfMemory = RankedMemory<Piece> & {
  no: number
  id: string
  createdAt: number
  /** Whether it is the very text of the query. */
  isSame: boolean
}

export type EvidenceTable = {
  memories: EvidenceOfMemory[]
  rows: { commonness: Float32Array; cosines: readonly Float64Array[] }
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

export type ScoredQuery = {
  query: SearchQuery
  terms: readonly WeighedTerm[]
  strengths: Strengths
}

/** Reads all memories among them. */
export async function readEvidence(
  transaction: Transaction,
  { space, generation }: Place,
  { query, terms, strengths }: ScoredQuery,
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
  const pieces = await piecesOfMemories(rows, strengths)
  return {
    memories: memoriesOf(memories, pieces, query.identity),
    rows: {
      commonness: Float32Array.from(readDoubles(rows.common)),
      cosines: await cosinesOf(rows, vectors.length),
    },
  }
}

async function cosinesOf(rows: RowsRow, parts: number): Promise<Float64Array[]> {
  const turn = new Turn()
  const cosines: Float64Array[] = []
  for (let part = 0; part < parts; part += 1) {
    if (turn.isOver()) await turn.pass()
    cosines.push(readDoubles(rows[`cosine${part}`] ?? null))
  }
  return cosines
}

const memoriesStatement = (among: Among) =>
  prepared<MemoriesRow>(
    `SELECT ${together('int8send(no)')} AS numbers, ${together('int8send(created_at)')} AS times,
       string_agg(id, ',') AS ids
     FROM (SELECT no, created_at, id
       FROM ${among === 'all' ? 'memories WHERE space_no = $1' : listedMemories('$2')}
       ORDER BY no) AS chosen`,
  )

function rowsStatement(among: Among, parts: number) {
  const cosines = Array.from({ length: parts }, (_, part) => part)
  const columns = cosines.map((part) => `${together(`float8send(cosine${part})`)} AS cosine${part}`)
  const all = 'pieces WHERE space_no = $1 AND generation = $2'
  const products = cosines.map((part) => `-(vector <#> $${part + 4}::vector) AS cosine${part}`)
  return prepared<RowsRow>(
    `SELECT ${together('int8send(memory_no)')} AS numbers, ${together('kind')} AS kinds,
       string_agg(forms, E'\\n') AS forms, ${together('float8send(common)')} AS common,
       ${columns.join(', ')}
     FROM (SELECT memory_no, COALESCE(commonness, 'NaN') AS common,
         CASE WHEN terms IS NULL THEN '\\x00'::bytea ELSE '\\x0${PIECE}'::bytea END AS kind,
         CASE WHEN terms IS NOT NULL THEN array_to_string(ARRAY(
           SELECT term FROM unnest(terms) AS term WHERE ${isAmong('term', '$3')}), ' ') END AS forms,
         ${products.join(', ')}
       FROM ${among === 'all' ? all : listedPieces('$2', `$${parts + 4}`)}
       ORDER BY memory_no, part) AS chosen`,
  )
}

/** In the order of their numbers. */
function memoriesOf(
  row: MemoriesRow,
  pieces: ReadonlyMap<number, Piece[]>,
  identity: string,
): EvidenceOfMemory[] {
  const times = readInts8(row.times)
  const ids = row.ids?.split(',') ?? []
  return readInts8(row.numbers).map((no, memory) => {
    const own = pieces.get(no) ?? []
    return {
      no,
      id: ids[memory] ?? '',
      createdAt: times[memory] ?? 0,
      pieces: own,
      isAsking: own.some(({ forms }) => forms.has(ASKING_MARK)),
      isSame: own[0]?.forms.has(identity) ?? false,
    }
  })
}

/** By the number of the memory. */
export async function piecesOfMemories(
  { numbers, kinds, forms }: RowsRow,
  strengths: Strengths,
): Promise<Map<number, Piece[]>> {
  const turn = new Turn()
  const pieces = new Map<number, Piece[]>()
  const lines = (forms?.split('\n') ?? []).values()
  for (const [row, no] of readInts8(numbers).entries()) {
    const own = pieces.get(no) ?? []
    if (own.length === 0) pieces.set(no, own)
    if (kinds?.[row] === PIECE) {
      if (turn.isOver()) await turn.pass()
      const had = formsIn(lines.next().value ?? '')
      const coverage = strengths.coverageOf([...had])
      own.push({ ...coverage, row, rowEnd: row + 1, forms: had })
    } else {
      const piece = own.at(-1)
      if (piece !== undefined) piece.rowEnd = row + 1
    }
  }
  return pieces
}

const NO_FORMS: Forms = new Set()

const formsIn = (line: string): Forms => (line === '' ? NO_FORMS : new Set(line.split(' ')))
