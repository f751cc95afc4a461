// Opens the database file the one way that keeps the promises of the store: WAL with
// synchronous=FULL, read back because better-sqlite3 re-opens WAL files with NORMAL, which would
// lose acknowledged writes in a power cut; deleted content overwritten; foreign keys on.
// decisions/2026-11-21-embedded-store.md
import Database from 'better-sqlite3'
import { errorCodeOf } from '../../../error-code.ts'
import { pauseThread } from '../../../pause-thread.ts'
import { isOlder } from '../../older-version.ts'
import { StoreRefusal } from '../../store.ts'
import { LOG_BYTES_MAX } from '../log/write-ahead-log.ts'

export type Connection = Database.Database

/** Of a new file: what a commit writes is estimated in pages. */
export const PAGE_BYTES = 8_192
/** Older versions have the WAL-reset bug, which can lose committed data. */
const SQLITE_VERSION_MIN = [3, 51, 3] as const
/** How long a connection waits for the one that writes, such as a `keys` command. */
export const BUSY_TIMEOUT_MS = 5_000
/** Every blob is greater than every text and number: the end of a range that has none. */
export const ABOVE_ALL = Buffer.alloc(0)
const RETRY_MS = 5
const SYNCHRONOUS_FULL = 2

/** Throws a StoreRefusal when the connection would not be durable. */
export function openDatabase(file: string): Connection {
  const db = new Database(file, { timeout: BUSY_TIMEOUT_MS })
  try {
    db.pragma(`page_size = ${PAGE_BYTES}`)
    whenFree(() => expectPragma(db, 'journal_mode', 'wal'))
    expectPragma(db, 'synchronous', SYNCHRONOUS_FULL)
    expectPragma(db, 'foreign_keys', 1)
    expectPragma(db, 'secure_delete', 1)
    expectPragma(db, 'trusted_schema', 0)
    // The log is moved into the file on purpose alone: see log/checkpoint.ts.
    expectPragma(db, 'wal_autocheckpoint', 0)
    db.pragma(`journal_size_limit = ${LOG_BYTES_MAX}`)
    db.pragma(`cache_size = -${32 * 1024}`)
    expectVersion(db)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** SQLite itself does not wait for others while a file changes its mode or its last user leaves. */
function whenFree(work: () => void): void {
  const giveUpAtMs = performance.now() + BUSY_TIMEOUT_MS
  for (;;) {
    try {
      work()
      return
    } catch (error) {
      if (!errorCodeOf(error).startsWith('SQLITE_BUSY')) throw error
      if (performance.now() > giveUpAtMs) throw error
    }
    pauseThread(RETRY_MS)
  }
}

function expectPragma(db: Connection, name: string, value: string | number): void {
  db.pragma(`${name} = ${value}`)
  const actual: unknown = db.pragma(name, { simple: true })
  if (actual !== value) {
    throw new StoreRefusal(`SQLite does not accept ${name}=${value}; it says ${String(actual)}.`)
  }
}

function expectVersion(db: Connection): void {
  const version = db.prepare<[], string>('SELECT sqlite_version()').pluck().get() ?? ''
  if (!isOlder(version, SQLITE_VERSION_MIN)) return
  throw new StoreRefusal(
    `SQLite ${version} can lose committed data (the WAL-reset bug). ` +
      `At least ${SQLITE_VERSION_MIN.join('.')} is needed: run npm ci again.`,
  )
}
