// The embedded store: one SQLite file, a thread that writes, one that reads rows and one that
// ranks, behind the interface of storage/store.ts. Keys are looked up on the calling thread: a
// point read of some microseconds that sees what any process committed, such as a revocation.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import {
  type EntityStore,
  type MemoryStore,
  type RelationStore,
  type SpaceId,
  type SpaceStore,
  type Store,
  StoreRefusal,
} from '../store.ts'
import { lockDirectory } from './directory-lock.ts'
import type { EmbeddingModel } from './embedding-model.ts'
import { toStoreError } from './failure.ts'
import { keyReads } from './keys.ts'
import { migrate } from './migrate.ts'
import { type Connection, openDatabase } from './open-database.ts'
import type { ReadProcedures } from './reads.ts'
import type { SearcherData, SearchProcedures } from './searcher.worker.ts'
import { WorkerCalls } from './worker-calls.ts'
import type { WriterData } from './writer.worker.ts'
import type { WriteProcedures } from './writes.ts'

export type SqliteOptions = {
  directory: string
  /** The model whose vectors the store holds; a store that has vectors of another one is refused. */
  model: EmbeddingModel
  /** Hears of a storage thread that died: nothing can be trusted any more, the process must end. */
  onDeath: (error: unknown) => void
}

export const databaseFile = (directory: string): string => join(directory, 'mnemograph.db')

/** Throws a StoreRefusal that says what to do when the folder cannot be used. */
export async function openSqliteStore(options: SqliteOptions): Promise<Store> {
  const { directory } = options
  createDirectory(directory)
  const unlock = lockDirectory(directory)
  try {
    const db = openChecked(databaseFile(directory))
    return await startThreads(db, unlock, options)
  } catch (error) {
    unlock()
    throw error
  }
}

/** Only its owner may look into the folder: it holds people's texts. */
export function createDirectory(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new StoreRefusal(
      `The data folder ${directory} cannot be created. Choose another one with MNEMOGRAPH_DATA_DIR.`,
      error,
    )
  }
}

function openChecked(file: string): Connection {
  let db: Connection | undefined
  try {
    db = openDatabase(file)
    const findings = db.prepare<[], string>('PRAGMA quick_check(1)').pluck().all()
    const orphans = db.prepare('PRAGMA foreign_key_check').all()
    if (findings[0] !== 'ok' || orphans.length > 0) throw damaged(file, findings[0])
    migrate(db)
    // What a deletion before a crash left in the log leaves the disk now.
    db.pragma('wal_checkpoint(TRUNCATE)')
    return db
  } catch (error) {
    db?.close()
    if (error instanceof StoreRefusal) throw error
    throw damaged(file, error)
  }
}

const damaged = (file: string, finding: unknown): StoreRefusal =>
  new StoreRefusal(
    `The database ${file} is damaged and was not opened. Restore it from a backup, or move it away.`,
    finding,
  )

async function startThreads(
  db: Connection,
  unlock: () => void,
  { directory, model, onDeath }: SqliteOptions,
): Promise<Store> {
  const file = databaseFile(directory)
  const { port1: toSearcher, port2: changes } = new MessageChannel()
  const writer = new WorkerCalls<WriteProcedures>(new URL('./writer.worker.ts', import.meta.url), {
    data: { file, searcher: toSearcher } satisfies WriterData,
    transfer: [toSearcher],
    onDeath,
  })
  const reader = new WorkerCalls<ReadProcedures>(new URL('./reader.worker.ts', import.meta.url), {
    data: { file },
    onDeath,
  })
  const searcher = new WorkerCalls<SearchProcedures & { close: () => void }>(
    new URL('./searcher.worker.ts', import.meta.url),
    { data: { file, changes } satisfies SearcherData, transfer: [changes], onDeath },
  )

  async function close(): Promise<void> {
    await reader.call('close')
    await searcher.call('close')
    await writer.call('close')
    await Promise.all([reader.ended(), searcher.ended(), writer.ended()])
    db.close()
    unlock()
  }

  const stored = await writer.call('rememberModel', model)
  if (stored.id !== model.id || stored.dimension !== model.dimension) {
    await close()
    throw new StoreRefusal(
      `The vectors in ${directory} were made by the model ${stored.id} (${stored.dimension} ` +
        `dimensions), but this start uses ${model.id} (${model.dimension}). Their vectors cannot be ` +
        'compared: start with the model of the store, or use another MNEMOGRAPH_DATA_DIR.',
    )
  }

  const keys = keyReads(db)
  return {
    forSpace: (spaceId) => spaceStore(spaceId, { writer, reader, searcher }),
    keys: {
      insert: (key) => writer.call('insertKey', key),
      findByHash: async (hash) => reading(() => keys.findByHash(hash)),
      list: async () => reading(() => keys.list()),
      revoke: (id) => writer.call('revokeKey', id),
    },
    usage: {
      read: (charge) => reader.call('readUsage', charge),
      add: (deltas) => writer.call('addUsage', deltas),
    },
    idempotency: {
      find: (...args) => reader.call('findIdempotency', ...args),
      expire: (time) => writer.call('expireIdempotency', time),
    },
    check: () => writer.call('check'),
    close,
  }
}

type Threads = {
  writer: WorkerCalls<WriteProcedures>
  reader: WorkerCalls<ReadProcedures>
  searcher: WorkerCalls<SearchProcedures & { close: () => void }>
}

function spaceStore(space: SpaceId, { writer, reader, searcher }: Threads): SpaceStore {
  const memories: MemoryStore = {
    insert: (memory, pieces, receipt) =>
      writer.call('insertMemory', space, memory, pieces, receipt),
    find: (id) => reader.call('findMemory', space, id),
    page: (filter, page) => reader.call('pageMemories', space, filter, page),
    search: (query, filter, cut) => searcher.call('search', space, query, filter, cut),
    remove: (id, receipt) => writer.call('removeMemory', space, id, receipt),
  }
  const entities: EntityStore = {
    insert: (entity, receipt) => writer.call('insertEntity', space, entity, receipt),
    find: (id) => reader.call('findEntity', space, id),
    page: (filter, page) => reader.call('pageEntities', space, filter, page),
    remove: (id, receipt) => writer.call('removeEntity', space, id, receipt),
  }
  const relations: RelationStore = {
    insert: (relation, receipt) => writer.call('insertRelation', space, relation, receipt),
    find: (id) => reader.call('findRelation', space, id),
    page: (filter, page) => reader.call('pageRelations', space, filter, page),
    remove: (id, receipt) => writer.call('removeRelation', space, id, receipt),
  }
  return { memories, entities, relations }
}

function reading<Result>(read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    throw toStoreError(error)
  }
}
