// The last step of a checkpoint, which the writer takes between two commits: it moves what is left of the log
// into the database file, overwrites what the moved pages still hold of moved cells, and only then lets the log
// begin anew, or cuts it when a deletion is to leave the files. So at every moment, also after a crash, the log
// names each page that was moved and not overwritten. For that, nothing but this and copy-log.ts moves the log
// of a server (automatic checkpoints are off); a command that moves it without a server removes the mark first
// (clean-mark.ts).
// decisions/2026-11-21-log-and-checkpoints.md (order, and what a crash leaves)
import { errorCodeOf } from '../../../error-code.ts'
import { BUSY_TIMEOUT_MS, type Connection } from '../opening/open-database.ts'
import { markServing, removeMark } from './clean-mark.ts'
import { overwriteFreeBytes, pagesOf } from './free-bytes.ts'
import { LOG_BYTES_KEPT, LOG_START, type LogPlace, logEnd, pagesInLog } from './write-ahead-log.ts'

/** How long the step waits for readers. It holds up every write meanwhile. */
const READERS_TIMEOUT_MS = 10

export type DatabaseFile = {
  path: string
  /**
   * Open for reading and writing, and closed only after the last connection of the process: closing
   * it takes away the locks that SQLite has on the file, as POSIX wants it.
   */
  descriptor: number
  /** Whether only pages in the log may have free bytes that were not overwritten. */
  isClean: boolean
}

export type CheckpointRow = { busy: number; log: number; checkpointed: number }

export class Checkpoint {
  readonly #db: Connection
  /** Moves the log while the other one has the write lock. */
  readonly #mover: Connection
  readonly #file: DatabaseFile
  readonly #pageBytes: number
  /** Pages that changed since their free bytes were last overwritten. */
  readonly #changed = new Set<number>()
  /** Whether a start is told that the log names every page that it has to look at. */
  #isMarked = false
  /** The pages in the log up to here are in the file, with their free bytes overwritten. */
  #done: LogPlace = LOG_START
  /** The end of the log, when it was last looked at. */
  #end: LogPlace = LOG_START
  /** The salts of a round of which all is in the file: the next commit begins another one. */
  #finished: string | undefined

  constructor({ db, mover }: { db: Connection; mover: Connection }, file: DatabaseFile) {
    this.#db = db
    this.#mover = mover
    this.#file = file
    this.#pageBytes = db.prepare<[], number>('PRAGMA page_size').pluck().get() ?? 0
    if (!file.isClean) this.#changeAll()
  }

  /** How long the log is that the next commit adds to. */
  get logBytes(): number {
    const { end, bytes } = logEnd(this.#file.path, { known: this.#end })
    this.#end = end
    return end.salts === this.#finished ? 0 : bytes
  }

  /** Another thread has moved the log up to there (copy-log.ts). */
  moved(done: LogPlace): void {
    this.#done = done
  }

  /**
   * The log does not name all pages any more that were moved and have to be overwritten: the next step,
   * or the next start, looks at every page.
   */
  lose(): void {
    this.#changeAll()
    this.#isMarked = false
    removeMark(this.#file.path)
  }

  /**
   * False when somebody reads or writes at the moment; then it has to be tried again. With `forgets` nothing that
   * was deleted is left in the log, nor in the pages that this connection remembers, which it would write again.
   */
  run({ forgets }: { forgets: boolean }): boolean {
    this.#db.pragma(`busy_timeout = ${READERS_TIMEOUT_MS}`)
    try {
      const others = this.#commitsOfOthers()
      if (!this.#moveAll()) return false
      if (forgets) this.#db.pragma('shrink_memory')
      const mode = forgets || this.logBytes > LOG_BYTES_KEPT ? 'TRUNCATE' : 'RESTART'
      if (this.#db.pragma(`wal_checkpoint(${mode})`, { simple: true }) !== 0) return false
      this.#finished = this.#done.salts
      if (this.#commitsOfOthers() === others) {
        this.#mark()
        return true
      }
      // Another process has written in this very moment, and its pages were moved unseen.
      this.lose()
      return false
    } catch (error) {
      if (errorCodeOf(error).startsWith('SQLITE_BUSY')) return false
      throw error
    } finally {
      this.#db.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`)
    }
  }

  #moveAll(): boolean {
    // Nobody adds to the log meanwhile, and what is moved stays in it.
    this.#db.exec('BEGIN IMMEDIATE')
    let isMoved = false
    try {
      const [row] = this.#mover.prepare<[], CheckpointRow>('PRAGMA wal_checkpoint(PASSIVE)').all()
      if (row === undefined || row.busy !== 0 || row.checkpointed < row.log) return false
      isMoved = true
      this.#overwrite(row.log)
      return true
    } catch (error) {
      // What is moved as a whole SQLite lets begin anew with the next commit.
      if (isMoved) this.lose()
      throw error
    } finally {
      this.#db.exec('ROLLBACK')
    }
  }

  /** What is in the file is overwritten there. So many frames of the log are committed. */
  #overwrite(frames: number): void {
    const { path, descriptor } = this.#file
    const { pages, end } = pagesInLog(path, { after: this.#done })
    for (const page of pages) this.#changed.add(page)
    overwriteFreeBytes(descriptor, this.#pageBytes, this.#changed)
    this.#changed.clear()
    // Behind what was committed frames of a commit that never came may lie, which the next one
    // writes over. Of a round that is finished SQLite counts none.
    const isFinished = end.salts === this.#finished
    this.#done = isFinished ? end : { ...end, frames: Math.min(end.frames, frames) }
  }

  #changeAll(): void {
    for (const page of pagesOf(this.#file.descriptor, this.#pageBytes)) this.#changed.add(page)
  }

  #mark(): void {
    if (this.#isMarked) return
    markServing(this.#file.path)
    this.#isMarked = true
  }

  /** A number that changes whenever another connection commits. */
  #commitsOfOthers(): unknown {
    return this.#db.pragma('data_version', { simple: true })
  }
}
