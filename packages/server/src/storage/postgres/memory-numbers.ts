// Numbers for new memories, taken from the database's sequence many at a time, so that no create asks
// for its own. They are used at once or never: a standby that has become the primary may not know that
// they were taken, and give them to somebody else. Where that is quicker than the last of them is used, the
// create that finds its number there takes another one; memories of two spaces may then have the same one. They
// say nothing about the order of creates.
import { errorCodeOf } from '../../error-code.ts'
import { StoreError } from '../store.ts'
import type { Database } from './connection/database.ts'
import { prepared } from './connection/transaction.ts'

const TAKEN_AT_ONCE = 64
/** Shorter than any failover. */
const KEPT_MS = 1_000
const REPETITIONS_MAX = 4
const ALREADY_THERE = '23505'
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

  /** Does the work again with another number when a memory of its space has that one already. */
  async use(work: (no: number) => Promise<void>): Promise<void> {
    for (let repetitions = 0; ; repetitions += 1) {
      try {
        return await work(await this.next())
      } catch (error) {
        if (!isOfAnother(error) || repetitions === REPETITIONS_MAX) throw error
        // Those that were taken with it are somebody else's as well.
        this.#taken = []
      }
    }
  }

  /** Never given out before, by any instance, as far as this primary knows. */
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

/** The error names the key of a partition. */
function isOfAnother(error: unknown): boolean {
  if (!(error instanceof StoreError) || errorCodeOf(error.cause) !== ALREADY_THERE) return false
  const { cause } = error
  return (
    cause instanceof Error &&
    'constraint' in cause &&
    /^memories_\d+_pkey$/.test(String(cause.constraint))
  )
}
