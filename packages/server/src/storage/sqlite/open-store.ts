// The embedded store: one SQLite file, and threads that write, read rows and rank (threads/threads.ts),
// behind the interface of storage/store.ts. Keys are looked up on the calling thread, which sees what any
// process committed, such as a revocation (known-keys.ts).
import { closeSync, openSync } from 'node:fs'
import { LongReads } from '../long-reads.ts'
import type { OnUpgrade } from '../migrations.ts'
import type { Store } from '../store.ts'
import { untilDone } from '../until-done.ts'
import { consoleStore } from './console-store.ts'
import { withStoreErrors } from './failure.ts'
import { keyReads } from './keys.ts'
import { knownKeys } from './known-keys.ts'
import { isMarkedClean, markClosed } from './log/clean-mark.ts'
import { CommitWatch } from './log/commit-watch.ts'
import { checkBeforeUse, checkCounts, isLarge } from './opening/check-file.ts'
import { createDirectory, databaseFile } from './opening/data-folder.ts'
import { lockDirectory } from './opening/directory-lock.ts'
import { withFileSizeLimit } from './opening/file-size-limit.ts'
import type { Connection } from './opening/open-database.ts'
import { openMigrated } from './opening/open-migrated.ts'
import { generationReads } from './reembedding/generations.ts'
import { spaceStore } from './space-store.ts'
import { endThreads, startThreads, type Threads, terminateThreads } from './threads/threads.ts'

/** What looks through a large file lets the first answers go first. */
const CHECK_DELAY_MS = 1_000
/** Until a long read begins. There is one thread for them. */
const LONG_READ_WAIT_MS_MAX = 60_000

export type SqliteOptions = {
  directory: string
  /** Hears of a storage thread that died: nothing can be trusted any more, the process must end. */
  onDeath: (error: unknown) => void
  onUpgrade?: OnUpgrade
}

/** Throws a StoreRefusal that says what to do when the folder cannot be used. */
export async function openSqliteStore(options: SqliteOptions): Promise<Store> {
  const { store, ready } = startSqliteStore(options)
  await ready
  return store
}

/**
 * `ready` resolves when the writer has looked through the file for what a crash left of deleted texts:
 * nothing may be served before. When it rejects, the store is closed already.
 */
export function startSqliteStore({ directory, onDeath, onUpgrade }: SqliteOptions): {
  store: Store
  ready: Promise<void>
} {
  createDirectory(directory)
  const unlock = lockDirectory(directory)
  let db: Connection | undefined
  let descriptor: number | undefined
  let watch: CommitWatch | undefined
  const release = (): void => {
    db?.close()
    if (descriptor !== undefined) closeSync(descriptor)
    watch?.close()
    unlock()
  }
  try {
    const path = databaseFile(directory)
    db = openMigrated(path, {
      checkBefore: (found) => checkBeforeUse(found, path),
      onUpgrade,
      checkAfter(migrated) {
        if (!isLarge(path)) checkCounts(migrated)
      },
    })
    const isClean = isMarkedClean(path)
    descriptor = openSync(path, 'r+')
    watch = new CommitWatch(path)
    const threads = startThreads({ path, descriptor, isClean }, (error) =>
      onDeath(withFileSizeLimit(path, error)),
    )
    const store = toStore(db, watch, threads, { ended: () => markClosed(path), release })
    return { store, ready: whenReady(threads, path, release) }
  } catch (error) {
    release()
    throw error
  }
}

async function whenReady(threads: Threads, path: string, release: () => void): Promise<void> {
  try {
    await threads.writer.call('check')
  } catch (error) {
    await endThreads(threads).catch(() => terminateThreads(threads))
    release()
    throw error
  }
  if (isLarge(path)) threads.checker.getLater(CHECK_DELAY_MS)
}

/** `ended`: the threads have, and left nothing to do with the file. */
type OnClose = { ended: () => void; release: () => void }

function toStore(
  db: Connection,
  watch: CommitWatch,
  threads: Threads,
  { ended, release }: OnClose,
): Store {
  const { writer, reader } = threads
  const keys = keyReads(db)
  const findKey = knownKeys(keys.findByHash, watch)
  const generations = generationReads(db)
  const longReads = new LongReads({ atOnceMax: 1, waitMsMax: LONG_READ_WAIT_MS_MAX })
  const closing = new AbortController()
  return {
    forSpace: (spaceId, left) => spaceStore(spaceId, threads, longReads, left),
    keys: {
      insert: (key) => writer.call('insertKey', key),
      insertFirst: (key) => writer.call('insertFirstKey', key),
      findByHash: async (hash) => withStoreErrors(() => findKey(hash)),
      list: async () => withStoreErrors(() => keys.list()),
      change: (id, change) => writer.call('changeKey', id, change),
      revoke: (id) => writer.call('revokeKey', id),
    },
    usage: {
      read: (month) => reader.call('readUsage', month),
      add: (deltas, counts) => writer.call('addUsage', deltas, counts),
    },
    console: consoleStore(db, threads, closing.signal),
    idempotency: {
      find: (keyId, idempotencyKey, notBefore) =>
        reader.call('findIdempotency', keyId, idempotencyKey, notBefore),
      expire: (time) => untilDone(() => writer.call('expireIdempotency', time), closing.signal),
    },
    generations: {
      current: async () => withStoreErrors(() => generations.find('current')),
      adopt: (model) => writer.call('adoptModel', model),
    },
    // One process has the folder to itself.
    sharedLimits: undefined,
    check: () => writer.call('check'),
    async close() {
      closing.abort()
      try {
        await endThreads(threads)
        ended()
      } finally {
        await terminateThreads(threads)
        release()
      }
    },
  }
}
