// `npm run bench -- --store postgres`: the shared store beside the embedded one and beside plain pgvector, on
// a PostgreSQL of its own or that of DATABASE_URL. Searches are measured without HTTP and without the
// embedding of the query.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { inFlight } from '../../eval/client.ts'
import { decimals, printLine, printTitle } from '../../eval/report.ts'
import { median, percentile } from '../../eval/statistics/metrics.ts'
import { openPostgresStore } from '../../packages/server/src/storage/postgres/open-store.ts'
import type { ScoredMemory, SpaceId } from '../../packages/server/src/storage/records.ts'
import { openSqliteStore } from '../../packages/server/src/storage/sqlite/open-store.ts'
import type { MemoryFilter, Store } from '../../packages/server/src/storage/store.ts'
import { newEmptyDatabase, startCluster } from '../../packages/server/src/testing/postgres.ts'
import { newTenants } from '../data/filled-store.ts'
import { numbers } from '../data/numbers.ts'
import { DIMENSION } from '../data/sample.ts'
import { copySpace } from './copy-space.ts'
import { type MixedMemories, mixedMemories } from './mixed-memories.ts'
import { PlainPgvector } from './plain-pgvector.ts'
import { grownBy, tableSizes } from './table-sizes.ts'
import { create, type Filled, fill, filled, IN_FLIGHT, type Tenant, tenant } from './tenants.ts'
import { measureTwoInstances } from './two-instances.ts'

const SMALL = 100
const CREATED = 4_000
const UNINDEXED_MAX = 300
const KEYS = 8
const PAGES = 100
const CUT = { limit: 10, threshold: 0.5 }
const ALL = { limit: 10, threshold: 0 }

export async function measureSharedStore(sizes: { large: number; spaces: number }): Promise<void> {
  const named = process.env['DATABASE_URL']
  delete process.env['DATABASE_URL']
  const cluster =
    named === undefined
      ? await startCluster({ settings: { shared_buffers: '2GB', max_wal_size: '8GB' } })
      : undefined
  try {
    await measureOn(named ?? cluster?.url ?? '', sizes)
  } finally {
    await cluster?.remove()
  }
}

async function measureOn(
  serverUrl: string,
  sizes: { large: number; spaces: number },
): Promise<void> {
  const database = await newEmptyDatabase(serverUrl)
  const directory = mkdtempSync(join(tmpdir(), 'mnemograph-bench-'))
  const onDeath = (error: unknown): never => {
    throw error
  }
  const [shared, embedded] = [
    await openPostgresStore({
      url: database.url,
      durability: 'required',
      connectionsMax: IN_FLIGHT,
      onBackgroundError: onDeath,
    }),
    await openSqliteStore({ directory, onDeath }),
  ]
  try {
    const sample = await mixedMemories()
    await measure({ url: database.url, shared, embedded, sample, ...sizes })
  } finally {
    await shared.close()
    await embedded.close()
    rmSync(directory, { recursive: true, force: true })
    await database.drop()
  }
  await measureTwoInstances(serverUrl)
}

async function measure(run: {
  url: string
  shared: Store
  embedded: Store
  sample: MixedMemories
  large: number
  spaces: number
}): Promise<void> {
  const { url, sample, large, spaces } = run
  const shared = await filled(run.shared)
  const embedded = await filled(run.embedded)
  await measureCreates(shared, sample)

  const small = await tenant(shared.store)
  await fill(shared, small, sample, SMALL)
  const smallEmbedded = await tenant(embedded.store)
  await fill(embedded, smallEmbedded, sample, SMALL)
  printTitle(`Searches among ${SMALL} memories, one at a time`)
  const alone = await searches(shared, small.space, sample)
  printTimes('shared store, the only space', alone)
  printTimes('embedded store', await searches(embedded, smallEmbedded.space, sample))

  const copies = await newTenants(shared.store, spaces)
  await copySpace(
    url,
    small.space,
    copies.map(({ space }) => space),
  )
  const beside: number[] = []
  for (const [place, query] of sample.queries.entries()) {
    const chosen = copies[(place * 97) % copies.length] ?? small
    beside.push(...(await searches(shared, chosen.space, { ...sample, queries: [query] })))
  }
  printTimes(`shared store, one of ${spaces} spaces`, beside)
  printLine('  against the only space', `${decimals(median(beside) / median(alone), 2)} x`)
  const plain = await PlainPgvector.copy(url, { over: small.space, hasVectorIndex: false })
  const last = copies.at(-1) ?? small
  printTimes(
    'plain pgvector, an index on the space',
    await times(vectorsOf(sample), (vector) => plain.search(vector, last.space)),
  )
  await plain.close()
  await measureLarge({ url, shared, embedded, sample, large })
}

async function measureCreates(shared: Filled, sample: MixedMemories): Promise<void> {
  printTitle(`Creates, ${IN_FLIGHT} in flight, the model left out`)
  const tenants = await newTenants(shared.store, KEYS)
  const start = performance.now()
  await inFlight(numbers(CREATED), IN_FLIGHT, (number) =>
    create(shared, tenants[number % KEYS], sample, number),
  )
  const perSecond = CREATED / ((performance.now() - start) / 1000)
  printLine(`${KEYS} spaces with a key each`, `${decimals(perSecond, 0)} a second`)
}

async function measureLarge(run: {
  url: string
  shared: Filled
  embedded: Filled
  sample: MixedMemories
  large: number
}): Promise<void> {
  const { url, shared, embedded, sample, large } = run
  printTitle(`Searches among ${large} memories in one space, one at a time`)
  const own = await tenant(shared.store)
  const before = await tableSizes(url)
  const start = performance.now()
  await fill(shared, own, sample, large)
  printLine('to fill it', `${decimals((performance.now() - start) / 1000, 0)} s`)
  await waitUntilIndexed(url, own.space)
  const parts = grownBy(before, await tableSizes(url), large)
  const whole = parts.reduce((sum, { bytes }) => sum + bytes, 0)
  const named = parts.map(({ name, bytes }) => `${name} ${decimals(bytes, 0)}`).join(', ')
  printLine('a memory on the disk', `${decimals(whole, 0)} B: ${named}`)
  const beside = await tenant(embedded.store)
  await fill(embedded, beside, sample, large)
  const filters: [name: string, filter: MemoryFilter][] = [
    ['no filter', {}],
    ['a user with 5 %', { userId: 'user-3' }],
    ['a tag with 10 %', { tags: ['tag-3'] }],
  ]
  for (const [name, filter] of filters) {
    printTimes(`shared store, ${name}`, await searches(shared, own.space, sample, filter))
    printTimes(`embedded store, ${name}`, await searches(embedded, beside.space, sample, filter))
    printTimes(`  the first page of the list, ${name}`, await pages(shared, own.space, filter))
    printLine(
      '  found of the ten best of the embedded store',
      decimals(await recall({ shared, own, embedded, beside, sample, filter }), 3),
    )
  }
  const plain = await PlainPgvector.copy(url, { over: own.space - 1, hasVectorIndex: true })
  printTimes(
    'plain pgvector, HNSW, no filter',
    await times(vectorsOf(sample), (vector) => plain.search(vector, own.space)),
  )
  printTimes(
    'plain pgvector, HNSW, a user with 5 %',
    await times(vectorsOf(sample), (vector) => plain.search(vector, own.space, 'user-3')),
  )
  await plain.close()
}

/** The share of the embedded store's ten best, which are exact up to 20,000 memories, that is found. */
async function recall(run: {
  shared: Filled
  own: Tenant
  embedded: Filled
  beside: Tenant
  sample: MixedMemories
  filter: MemoryFilter
}): Promise<number> {
  const { shared, own, embedded, beside, sample, filter } = run
  const best = (
    { store, generation }: Filled,
    { space }: Tenant,
    query: MixedMemories['queries'][number],
  ) => store.forSpace(space).memories.search(query, filter, ALL, generation)
  let found = 0
  let all = 0
  for (const query of sample.queries) {
    const exact: ScoredMemory[] = await best(embedded, beside, query)
    const ids = new Set((await best(shared, own, query)).map(({ id }) => id))
    found += exact.filter(({ id }) => ids.has(id)).length
    all += exact.length
  }
  return found / all
}

/** Resolves when the upkeep has given nearly all rows of the space a place in the index of vectors. */
async function waitUntilIndexed(url: string, space: SpaceId): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (;;) {
      const { rows } = await client.query<{ left: string }>(
        'SELECT count(*) AS left FROM mnemograph.pieces WHERE space_no = $1 AND code IS NULL',
        [space],
      )
      if (Number(rows[0]?.left) <= UNINDEXED_MAX) break
      await sleep(500)
    }
    await client.query('VACUUM ANALYZE')
  } finally {
    await client.end()
  }
}

async function searches(
  { store, generation }: Filled,
  space: SpaceId,
  { queries }: Pick<MixedMemories, 'queries'>,
  filter: MemoryFilter = {},
): Promise<number[]> {
  const { memories } = store.forSpace(space)
  return times(queries, (query) => memories.search(query, filter, CUT, generation))
}

function pages({ store }: Filled, space: SpaceId, filter: MemoryFilter): Promise<number[]> {
  const { memories } = store.forSpace(space)
  return times(numbers(PAGES), () => memories.page(filter, { page: 1, limit: 20 }))
}

const vectorsOf = ({ queries }: MixedMemories): Float32Array[] =>
  queries.map(({ parts: [part] }) => part?.vector ?? new Float32Array(DIMENSION))

/** The time of each search in milliseconds, the second time round. */
async function times<Asked>(
  all: readonly Asked[],
  search: (asked: Asked) => Promise<unknown>,
): Promise<number[]> {
  const took: number[] = []
  for (const isMeasured of [false, true]) {
    for (const asked of all) {
      const start = performance.now()
      await search(asked)
      if (isMeasured) took.push(performance.now() - start)
    }
  }
  return took
}

const printTimes = (name: string, took: readonly number[]): void =>
  printLine(
    name,
    `p50 ${decimals(median(took), 1)} ms  p99 ${decimals(percentile(took, 0.99), 1)} ms`,
  )
