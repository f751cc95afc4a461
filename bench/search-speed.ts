// A search without the embedding of its query: what the searcher's thread does, on the rows that the
// server just stored, beside two others in the same rounds. The floor is the time to read the codes
// of all vectors once; the plain scan compares every vector as 32-bit floats, as earlier versions did.
import { modelFolder } from '@mnemograph/model-bge-small-en'
import { ordinarySentences } from '../eval/long-texts.ts'
import { percentile } from '../eval/metrics.ts'
import { decimals, printLine } from '../eval/report.ts'
import { openLocalEmbedder } from '../packages/server/src/embedding/local/local-embedder.ts'
import type { SearchQuery } from '../packages/server/src/retrieval/evidence.ts'
import { rarityInEnglish } from '../packages/server/src/retrieval/rarity.ts'
import { searchQueryOf } from '../packages/server/src/retrieval/search-query.ts'
import { databaseFile } from '../packages/server/src/storage/sqlite/data-folder.ts'
import { generationReads } from '../packages/server/src/storage/sqlite/generations.ts'
import {
  type Connection,
  openDatabase,
} from '../packages/server/src/storage/sqlite/open-database.ts'
import { pieceStatements } from '../packages/server/src/storage/sqlite/pieces.ts'
import { searches } from '../packages/server/src/storage/sqlite/searches.ts'
import type { SpaceId } from '../packages/server/src/storage/store.ts'
import { plainScan } from './plain-scan.ts'

const QUERIES = 20
/** The first ones warm up. */
const ROUNDS = 15
const ROUNDS_MEASURED = 10
const CUT = { limit: 10, threshold: 0.5 }

/** Of the newest space in the folder of a server, which may run meanwhile. */
export async function measureSearchAlone(dataDirectory: string): Promise<void> {
  const queries = await embeddedQueries()
  const db = openDatabase(databaseFile(dataDirectory))
  try {
    const { space, nos } = newestSpace(db)
    const generation = generationReads(db).place('current')
    if (generation === undefined) throw new Error('The store has no vectors.')
    const { read } = pieceStatements(db)
    const pieces = nos.map((no) => read(generation.table, no))
    const { search } = searches(db)
    const plain = plainScan(pieces)
    const half = Buffer.alloc(Math.ceil(plain.numbers / 2), 1)
    const other = Buffer.from(half)
    const [product = [], former = [], floor = []] = interleaved(queries, [
      (query) => search(space, query, {}, CUT, generation.number),
      (query) => plain.search(query, CUT),
      () => half.equals(other),
    ])
    const line = (name: string, tookMs: number[]): void => {
      const [middle, late] = [0.5, 0.99].map((share) => percentile(tookMs, share))
      const ratio = decimals(percentile(product, 0.5) / (middle ?? 0), 2)
      const both = `p50 ${decimals(middle ?? 0)} ms  p99 ${decimals(late ?? 0)} ms`
      printLine(name, tookMs === product ? both : `${both}  search is ${ratio} x this`)
    }
    line(`${nos.length} memories without the query's embedding`, product)
    line(`  a plain scan of ${plain.rows} vectors`, former)
    line('  floor: to read their codes', floor)
  } finally {
    db.close()
  }
}

async function embeddedQueries(): Promise<SearchQuery[]> {
  const embedder = await openLocalEmbedder({ folder: modelFolder, workers: 1 })
  const rarity = rarityInEnglish()
  try {
    const queries: SearchQuery[] = []
    for (const text of ordinarySentences(5_000, 11).slice(0, QUERIES)) {
      const parts = await embedder.embedQuery(text)
      queries.push(searchQueryOf(text, parts, rarity, embedder.model.calibration))
    }
    return queries
  } finally {
    await embedder.close()
  }
}

function newestSpace(db: Connection): { space: SpaceId; nos: number[] } {
  const select = db.prepare<[], SpaceId>('SELECT max(space_no) FROM memories').pluck()
  const space = select.get()
  if (space === undefined) throw new Error('The store has no memories.')
  const nos = db.prepare<[SpaceId], number>('SELECT no FROM memories WHERE space_no = ?').pluck()
  return { space, nos: nos.all(space) }
}

/** In rounds, so that all of them meet the same noise, and each its own data in the caches. */
function interleaved(
  queries: readonly SearchQuery[],
  works: readonly ((query: SearchQuery) => unknown)[],
): number[][] {
  const measured = works.map((work) => ({ work, tookMs: [] as number[] }))
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { work, tookMs } of measured) {
      for (const query of queries) {
        const start = performance.now()
        work(query)
        if (round >= ROUNDS - ROUNDS_MEASURED) tookMs.push(performance.now() - start)
      }
    }
  }
  return measured.map(({ tookMs }) => tookMs)
}
