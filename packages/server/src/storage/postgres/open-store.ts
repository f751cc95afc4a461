// The shared store: PostgreSQL with pgvector, behind the interface of storage/store.ts, for any
// number of instances. Nothing of it is kept in this process: what one instance has committed, every
// other one sees with its next request. decisions/2026-11-21-shared-store.md
import { Questions } from '../questions.ts'
import { type Store, StoreError, StoreRefusal } from '../store.ts'
import { SCHEMA, type Timeouts } from './connection/connection.ts'
import { Database } from './connection/database.ts'
import { asOwner, withOwner } from './connection/owner.ts'
import { prepareRoles } from './connection/roles.ts'
import { onClient, prepared, type Transaction } from './connection/transaction.ts'
import { consoleStore } from './console-store.ts'
import { idempotencyStore } from './idempotency.ts'
import { expectNoUnfinishedImport } from './import-progress.ts'
import { keyStore } from './keys.ts'
import { MemoryNumbers } from './memory-numbers.ts'
import { migrate, type UpgradeEvents } from './migrations/migrate.ts'
import { openingFailure } from './opening/opening-failure.ts'
import {
  checkServer,
  checkSessions,
  checkVectorExtension,
  type Durability,
} from './opening/server-checks.ts'
import { generationStore } from './reembedding/generations.ts'
import { sharedLimits } from './shared-limits.ts'
import { spaceStore } from './space-store.ts'
import { foldNamesOfOlderInstances } from './upkeep/names-of-older-instances.ts'
import { arePiecesIndexed, indexPiecesByMemory } from './upkeep/pieces-by-memory.ts'
import { RowCounts } from './upkeep/row-counts.ts'
import { areSpacesCounted, countUncountedSpaces } from './upkeep/uncounted-spaces.ts'
import { Upkeep } from './upkeep/upkeep.ts'
import { usageStore } from './usage.ts'

export type PostgresOptions = {
  url: string
  /** `unchecked` also opens a server that may lose what it has acknowledged. */
  durability: Durability
  connectionsMax: number
  timeouts?: Timeouts
  /** Hears of failures that no request waits for. */
  onBackgroundError: (error: unknown) => void
} & UpgradeEvents

// Whoever is on a standby, or on a primary that has become one, is told so by a write alone.
const CHECK = prepared('DELETE FROM spaces WHERE false')

const HAS_STORE = prepared<{ hasStore: boolean }>(
  `SELECT to_regclass('${SCHEMA}.schema_versions') IS NOT NULL AS "hasStore"`,
)

/** Throws a StoreRefusal that says what to do when the database cannot be used. */
export async function openPostgresStore(options: PostgresOptions): Promise<Store> {
  await prepareDatabase(options, { events: options })
  const database = new Database({ ...options, role: 'mnemograph_service' })
  const { areIndexed, areCounted } = await firstAnswer(database)
  const upkeep = new Upkeep(database, options.onBackgroundError)
  const rowCounts = new RowCounts(database, options.onBackgroundError)
  const closing = new AbortController()
  const around = { signal: closing.signal, onError: options.onBackgroundError }
  const indexing = areIndexed ? undefined : indexPiecesByMemory(database, options.url, around)
  const folding = foldNamesOfOlderInstances(options.url, around)
  const counting = areCounted ? undefined : countUncountedSpaces(options.url, around)
  const tools = {
    upkeep,
    rowCounts,
    numbers: new MemoryNumbers(database),
    questions: new Questions(),
  }
  return {
    forSpace: (space, left) => spaceStore(database, tools, space, left),
    keys: keyStore(database),
    usage: usageStore(database),
    sharedLimits: sharedLimits(database),
    idempotency: idempotencyStore(database, closing.signal),
    console: consoleStore(database, closing.signal),
    generations: generationStore(
      (work) => database.transaction(work),
      (work) => asOwner(options.url, work),
    ),
    async check() {
      await database.query(CHECK, [])
    },
    async close() {
      closing.abort()
      await Promise.all([upkeep.close(), rowCounts.close()])
      await Promise.all([indexing, folding, counting])
      await database.close()
    },
  }
}

/**
 * Leaves an open connection for what is asked first: whoever now loads the rest of the process may hear of
 * nothing for longer than a connection may take. Whether pieces are indexed and spaces counted.
 */
async function firstAnswer(database: Database) {
  try {
    return {
      areIndexed: await arePiecesIndexed(database),
      areCounted: await areSpacesCounted(database),
    }
  } catch (error) {
    await database.close()
    throw openingFailure(error instanceof StoreError ? error.cause : error)
  }
}

/**
 * Roles and schema, after a look at the server. Throws a StoreRefusal, also while an import is
 * unfinished, unless it is for the import. `existing` makes no store where there is none: the address may be
 * mistyped, and what is read from an empty one would pass for all there is.
 */
export async function prepareDatabase(
  { url, durability }: Pick<PostgresOptions, 'url' | 'durability'>,
  {
    forImport = false,
    existing = false,
    events = {},
  }: { forImport?: boolean; existing?: boolean; events?: UpgradeEvents } = {},
): Promise<void> {
  try {
    await withOwner(url, async (owner) => {
      await checkServer(owner, durability)
      await withOwner(url, (other) => checkSessions(owner, other))
      if (existing) await expectStore(onClient(owner))
      await prepareRoles(owner)
      await checkVectorExtension(owner)
      await migrate(owner, events)
      await checkVectorExtension(owner)
      if (!forImport) await expectNoUnfinishedImport(onClient(owner))
    })
  } catch (error) {
    throw error instanceof StoreRefusal ? error : openingFailure(error)
  }
}

/** Throws a StoreRefusal when it cannot be told. */
export async function hasPostgresStore(url: string): Promise<boolean> {
  try {
    return await withOwner(url, (owner) => hasStore(onClient(owner)))
  } catch (error) {
    throw openingFailure(error)
  }
}

const hasStore = async (transaction: Transaction): Promise<boolean> =>
  (await transaction.one(HAS_STORE, []))?.hasStore === true

async function expectStore(transaction: Transaction): Promise<void> {
  if (await hasStore(transaction)) return
  throw new StoreRefusal(
    'There is no store in the database of DATABASE_URL. Name the one that has it with DATABASE_URL.',
  )
}
