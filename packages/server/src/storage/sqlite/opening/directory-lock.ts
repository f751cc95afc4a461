// One server per data folder. The lock is an open exclusive transaction on a file of its own: the
// operating system drops it when the process dies, however it dies, so no stale lock can remain.
// The commands `keys`, `accounts`, `reembed` and `export` take it for a migration, and `reembed` for the moment in
// which it empties the log; else they are guests that go through SQLite's own locking. Re-embedding has a lock of
// its own.
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { errorCodeOf } from '../../../error-code.ts'
import { StoreRefusal } from '../../store.ts'
import { createFile, toRefusal } from './data-folder.ts'

/** A guest holds the server's lock for a moment when it empties the log without a server. */
const GUEST_MS_MAX = 2_000

type Release = () => void

/** Of a server, and of an import, which is alone too. Throws a StoreRefusal when another one holds it. */
export function lockDirectory(directory: string): Release {
  const release = tryLock(join(directory, 'server.lock'), GUEST_MS_MAX)
  if (release !== undefined) return release
  throw new StoreRefusal(
    `A server or an import of Mnemograph is using ${directory} already. Stop it, or name another folder with ` +
      'MNEMOGRAPH_DATA_DIR.',
  )
}

/**
 * The lock of a server, for a migration without one. A server that starts just now does it by itself, and
 * then there is nothing to lock. Throws a StoreRefusal when one runs without doing it.
 */
export function lockToMigrate(directory: string, isNeeded: () => boolean): Release {
  const release = tryLock(join(directory, 'server.lock'), GUEST_MS_MAX)
  if (release !== undefined) return release
  if (!isNeeded()) return () => undefined
  throw new StoreRefusal(
    `A server of an earlier version is using ${directory}. Restart it with this version, and then run the ` +
      'command again. If it is just starting with this version, wait until it listens.',
  )
}

/** The lock of a server, for a moment without one. Undefined when a server runs. */
export const lockForMoment = (directory: string): Release | undefined =>
  tryLock(join(directory, 'server.lock'), 0)

/** Throws a StoreRefusal when the folder is being re-embedded already. */
export function lockReembedding(directory: string): Release {
  const release = tryLock(join(directory, 'reembed.lock'), 0)
  if (release !== undefined) return release
  throw new StoreRefusal(
    `The store in ${directory} is being re-embedded by another process. See how far it is with ` +
      '`mnemograph reembed --status`.',
  )
}

/** Undefined when another process holds it. */
function tryLock(file: string, timeoutMs: number): Release | undefined {
  let lock: Database.Database | undefined
  try {
    createFile(file)
    lock = new Database(file, { timeout: timeoutMs })
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock?.close()
    if (errorCodeOf(error).startsWith('SQLITE_BUSY')) return undefined
    throw toRefusal(file, error)
  }
  const held = lock
  return () => held.close()
}
