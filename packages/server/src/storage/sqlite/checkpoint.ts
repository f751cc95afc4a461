// Moves the write-ahead log into the database file, cuts it to nothing and overwrites what the
// changed pages still hold of moved cells. Afterwards no deleted text is in the files. Nothing else
// moves the log (automatic checkpoints are off), so that no page escapes.
// decisions/2026-11-21-deletion-leaves-no-trace.md
import { fstatSync } from 'node:fs'
import { sqliteCodeOf } from './failure.ts'
import { overwriteFreeBytes } from './free-bytes.ts'
import { BUSY_TIMEOUT_MS, type Connection } from './open-database.ts'
import { logBytes, pagesInLog } from './write-ahead-log.ts'

/** How long a checkpoint waits for readers. It holds up every write meanwhile. */
const READERS_TIMEOUT_MS = 50

export type DatabaseFile = {
  path: string
  /**
   * Open for reading and writing, and closed only after the last connection of the process: closing
   * it takes away the locks that SQLite has on the file, as POSIX wants it.
   */
  descriptor: number
}

export class Checkpoint {
  readonly #db: Connection
  readonly #file: DatabaseFile
  readonly #pageBytes: number
  /** Changed since their free bytes were last overwritten. */
  readonly #changed = new Set<number>()

  /** Looks at every page first: what ended the last run may have come between the two steps. */
  constructor(db: Connection, file: DatabaseFile) {
    this.#db = db
    this.#file = file
    this.#pageBytes = db.prepare<[], number>('PRAGMA page_size').pluck().get() ?? 0
    const pages = fstatSync(file.descriptor).size / this.#pageBytes
    for (let page = 1; page <= pages; page += 1) this.#changed.add(page)
  }

  /** False when somebody reads or writes at the moment; then it has to be tried again. */
  run(): boolean {
    for (const page of pagesInLog(this.#file.path, this.#pageBytes)) this.#changed.add(page)
    this.#db.pragma(`busy_timeout = ${READERS_TIMEOUT_MS}`)
    try {
      return this.#emptyLog() && this.#overwriteFreeBytes()
    } catch (error) {
      if (sqliteCodeOf(error).startsWith('SQLITE_BUSY')) return false
      throw error
    } finally {
      this.#db.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`)
    }
  }

  #emptyLog(): boolean {
    const busy: unknown = this.#db.pragma('wal_checkpoint(TRUNCATE)', { simple: true })
    return busy === 0
  }

  #overwriteFreeBytes(): boolean {
    // Under the write lock and with an empty log nobody has anything to write into the file.
    this.#db.exec('BEGIN IMMEDIATE')
    let isCacheStale = true
    try {
      if (logBytes(this.#file.path) > 0) return false
      const { descriptor } = this.#file
      isCacheStale = overwriteFreeBytes(descriptor, this.#pageBytes, this.#changed) > 0
      this.#changed.clear()
      return true
    } finally {
      this.#db.exec('ROLLBACK')
      // The cache has the pages as they were, and would write them so again.
      if (isCacheStale) this.#db.pragma('shrink_memory')
    }
  }
}
