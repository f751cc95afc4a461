// Numbers for new memories, taken from the database's sequence many at a time, so that no create asks
// for its own. They are used at once or never: a standby that has become the primary may not know that
// they were taken, and give them to somebody else. They say nothing about the order of creates.
import { type Database, prepared } from './connection/database.ts'

const TAKEN_AT_ONCE = 64
/** Shorter than any failover. */
const KEPT_MS = 1_000
const TAKE = prepared<{ no: number }>(
  `SELECT nextval('memory_numbers') AS no FROM generate_series(1, ${TAKEN_AT_ONCE})`,
)

export class MemoryNumbers {
  readonly #database: Database
  #taken: number[] = []
  #takenAtMs = 0
  #taking: Promise<void> | undefined

  constructor(database: Database) {
    this.#database = database
  }

  /** Never given out before, by any instance. */
  async next(): Promise<number> {
    if (performance.now() - this.#takenAtMs > KEPT_MS) this.#taken = []
    for (;;) {
      const no = this.#taken.shift()
      if (no !== undefined) return no
      this.#taking ??= this.#take().finally(() => {
        this.#taking = undefined
      })
      await this.#taking
    }
  }

  async #take(): Promise<void> {
    // Before it is asked, since the answer may be late.
    const nowMs = performance.now()
    for (const { no } of await this.#database.query(TAKE, [])) this.#taken.push(no)
    this.#takenAtMs = nowMs
  }
}
