// Numbers for new memories, taken from the database's sequence many at a time, so that no create asks
// for its own. Numbers of an instance that ends before it has used them are never used; they say
// nothing about the order of creates.
import { type Database, prepared } from './database.ts'

const TAKEN_AT_ONCE = 64
const TAKE = prepared<{ no: number }>(
  `SELECT nextval('memory_numbers') AS no FROM generate_series(1, ${TAKEN_AT_ONCE})`,
)

export class MemoryNumbers {
  readonly #database: Database
  readonly #taken: number[] = []
  #taking: Promise<void> | undefined

  constructor(database: Database) {
    this.#database = database
  }

  /** Never given out before, by any instance. */
  async next(): Promise<number> {
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
    for (const { no } of await this.#database.query(TAKE, [])) this.#taken.push(no)
  }
}
