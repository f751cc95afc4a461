// The month of a key that many instances serve. Only the database knows what is used, so it decides
// with every operation: a write is refused in its own transaction, a read once its work is done. A
// month that was used up when the request was admitted costs no work at all.
// decisions/2026-11-21-limits-across-instances.md
import type { KeyMonth } from '../../storage/records.ts'
import type { Charge, SharedLimits } from '../../storage/shared-limits.ts'
import { type Receipt, StoreError, type UsageStore } from '../../storage/store.ts'
import { type Meter, quotaExceeded } from './admission.ts'

type Counted = { limits: Pick<SharedLimits, 'charge'>; usage: Pick<UsageStore, 'read'> }

export class SharedMeter implements Meter {
  readonly resetAtMs: number
  readonly #counted: Counted
  readonly #charge: Charge
  #used: number

  /** `used` is what the month had counted when the request was admitted. */
  constructor(counted: Counted, month: { charge: Charge; resetAtMs: number; used: number }) {
    this.#counted = counted
    this.#charge = month.charge
    this.resetAtMs = month.resetAtMs
    this.#used = month.used
  }

  get keyMonth(): KeyMonth {
    return this.#charge
  }

  get used(): number {
    return this.#used
  }

  async read<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#expectRoom()
    const result = await work()
    this.#used = (await this.#counted.limits.charge(this.#charge)) ?? this.#refuse()
    return result
  }

  async write<Result>(work: (receipt: Receipt) => Promise<Result>): Promise<Result> {
    this.#expectRoom()
    let charged = this.#used
    const onCharged = (used: number): void => {
      charged = used
    }
    let result: Result
    try {
      result = await work({ charge: this.#charge, onCharged })
    } catch (error) {
      if (error instanceof StoreError && error.kind === 'exhausted') this.#refuse()
      throw error
    }
    this.#used = charged
    return result
  }

  async lookAgain(): Promise<void> {
    this.#used = await this.#counted.usage.read(this.#charge)
  }

  #expectRoom(): void {
    const { limit } = this.#charge
    if (limit !== undefined && this.#used >= limit) this.#refuse()
  }

  /** The month is full, whoever filled it. */
  #refuse(): never {
    const { limit = this.#used } = this.#charge
    // Of a key whose plan was changed for a smaller one it may have been more all along.
    this.#used = Math.max(this.#used, limit)
    throw quotaExceeded({ used: this.#used, limit, resetAtMs: this.resetAtMs })
  }
}
