// Work for the lines of imports, of which a bounded number holds a connection at once. Lines come by the
// hundred, and those of one key wait for each other at the row of its month: each on a connection of its own,
// they would wait longer than a connection may be waited for, and end their imports. Here they wait without
// one, however long, as long as any line comes through, and the askers take turns. When the database does not
// answer, all that wait are refused at once: nobody waits for one time limit after another.
import type { Asker } from '../../../turns/fair-queue.ts'
import { FairSlots } from '../../../turns/fair-slots.ts'
import { StoreError } from '../../store.ts'

/** What fails sooner is no silence, and costs whoever comes next no waiting. */
const SILENCE_MS_MIN = 1_000

export class BulkWork {
  readonly #slots: FairSlots
  #cameThroughAtMs = Number.NEGATIVE_INFINITY

  constructor(atOnceMax: number) {
    this.#slots = new FairSlots(atOnceMax)
  }

  /** Rejects as `unavailable` what had to wait while the database fell silent. */
  async run<Result>(asker: Asker, work: () => Promise<Result>): Promise<Result> {
    await this.#slots.take(asker)
    const beganAtMs = performance.now()
    try {
      const result = await work()
      this.#cameThroughAtMs = performance.now()
      return result
    } catch (error) {
      if (error instanceof StoreError && this.#isSilent(error, beganAtMs)) {
        this.#slots.refuseAll(error)
      }
      throw error
    } finally {
      this.#slots.end()
    }
  }

  #isSilent({ kind }: StoreError, beganAtMs: number): boolean {
    const hasLasted = performance.now() - beganAtMs >= SILENCE_MS_MIN
    return kind === 'unavailable' && hasLasted && this.#cameThroughAtMs < beganAtMs
  }
}
