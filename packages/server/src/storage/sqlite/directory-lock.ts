// One server per data folder. The lock is an open exclusive transaction on a file of its own: the
// operating system drops it when the process dies, however it dies, so no stale lock can remain.
// The `keys` commands do not take it; they are guests that write through SQLite's own locking.
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { StoreRefusal } from '../store.ts'
import { toRefusal } from './data-folder.ts'
import { sqliteCodeOf } from './failure.ts'

/** Returns the release. Throws a StoreRefusal when another server holds the folder. */
export function lockDirectory(directory: string): () => void {
  const file = join(directory, 'server.lock')
  let lock: Database.Database | undefined
  try {
    lock = new Database(file, { timeout: 0 })
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock?.close()
    if (!sqliteCodeOf(error).startsWith('SQLITE_BUSY')) throw toRefusal(file, error)
    throw new StoreRefusal(
      `Another Mnemograph server is using ${directory}. Stop it, or give this one a folder of ` +
        'its own with MNEMOGRAPH_DATA_DIR.',
      error,
    )
  }
  const held = lock
  return () => held.close()
}
