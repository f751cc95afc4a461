// Tells whether any process has committed since it was asked before, for a fraction of what a query costs.
// Every commit changes the header at the beginning of the log's index before it returns, and a reader that
// finds the header as it was knows of no commit since. It is read without a lock: what is torn by a commit
// that is just being made differs from what it was, and differs again once it is whole.
// Layout: https://sqlite.org/walformat.html#the_wal_index_header
import { closeSync, openSync, readSync } from 'node:fs'

const HEADER_BYTES = 48

export class CommitWatch {
  readonly #descriptor: number
  #seen = Buffer.alloc(HEADER_BYTES)
  #read = Buffer.alloc(HEADER_BYTES)

  /** The file must have been read in this process, which makes the index of its log. */
  constructor(databaseFile: string) {
    this.#descriptor = openSync(`${databaseFile}-shm`, 'r')
  }

  /** True the first time. What is looked up afterwards is as new as the answer, or newer. */
  hasCommitted(): boolean {
    const length = readSync(this.#descriptor, this.#read, 0, HEADER_BYTES, 0)
    if (length === HEADER_BYTES && this.#read.equals(this.#seen)) return false
    const before = this.#seen
    this.#seen = this.#read
    this.#read = before
    return true
  }

  /** After all connections of this process: with any descriptor of the file its locks are gone. */
  close(): void {
    closeSync(this.#descriptor)
  }
}
