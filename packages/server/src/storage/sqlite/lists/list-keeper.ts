// When memories are taken into their lists: as soon as so many wait that a list takes long to look
// through them, and otherwise after a moment, in which more of them come. It is never in the way: what is
// committed stays so whether or not this works, and it is tried again.
// decisions/2026-11-21-lists.md
import { mayPass } from '../failure.ts'
import type { LogKeeper } from '../log/log-keeper.ts'
import type { Connection } from '../opening/open-database.ts'
import { unlistedMemories } from './take-in.ts'

/** A list looks through so many in a few tenths of a millisecond; the writer takes 15 ms to take them in. */
export const WAITING_MAX = 2_048
const DELAY_MS = 1_000

export class ListKeeper {
  readonly #log: Pick<LogKeeper, 'room' | 'committed'>
  readonly #takeIn: (memoriesMax: number) => number
  /** Fewer, when some of them were deleted. */
  #waiting: number
  #timer: NodeJS.Timeout | undefined

  /** Those that an earlier start has left wait, too. */
  constructor(db: Connection, log: Pick<LogKeeper, 'room' | 'committed'>) {
    this.#log = log
    const { count, takeIn } = unlistedMemories(db)
    this.#takeIn = takeIn
    this.#waiting = count()
    this.#takeInLater()
  }

  /** After a commit that has created so many memories. */
  created(memories: number): void {
    this.#waiting += memories
    if (this.#waiting >= WAITING_MAX) this.#tryToTakeIn()
    this.#takeInLater()
  }

  /** Takes in all that wait, if it can. */
  close(): void {
    clearTimeout(this.#timer)
    while (this.#waiting > 0) if (!this.#tryToTakeIn()) return
  }

  #takeInLater(): void {
    if (this.#waiting === 0 || this.#timer !== undefined) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#tryToTakeIn()
      this.#takeInLater()
    }, DELAY_MS)
  }

  #tryToTakeIn(): boolean {
    if (this.#log.room() !== 'yes') return false
    try {
      const taken = this.#takeIn(WAITING_MAX)
      this.#waiting = taken === 0 ? 0 : Math.max(0, this.#waiting - taken)
      this.#log.committed([])
      return true
    } catch (error) {
      if (!mayPass(error)) throw error
      return false
    }
  }
}
