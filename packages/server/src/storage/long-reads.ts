// Reads that may take long: a bounded number has begun at once, so that short ones are answered beside them,
// and the spaces take turns; of many of one space the newest have some too. One whose turn does not come in
// time is refused. All such queues are in one table in ARCHITECTURE.md.
// decisions/2026-11-28-callers-who-leave.md
import { FairSlots } from '../turns/fair-slots.ts'
import type { SpaceId } from './records.ts'
import { StoreOverloaded } from './store.ts'

/** Of one space, for each that can have begun. So many long lists take some seconds, and callers give up. */
const IN_ORDER_MAX = 32

export class LongReads {
  readonly #slots: FairSlots
  readonly #waitMsMax: number

  constructor({ atOnceMax, waitMsMax }: { atOnceMax: number; waitMsMax: number }) {
    this.#slots = new FairSlots(atOnceMax, atOnceMax * IN_ORDER_MAX)
    this.#waitMsMax = waitMsMax
  }

  /**
   * Rejects with a StoreOverloaded when its turn does not come in time, and with the signal's reason when
   * that comes before.
   */
  async run<Result>(
    space: SpaceId,
    read: () => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    const refusal = () => new StoreOverloaded('Others have all the turns of long reads.')
    await this.#slots.take(space, { waitMsMax: this.#waitMsMax, refusal, signal })
    try {
      return await read()
    } finally {
      this.#slots.end()
    }
  }
}
