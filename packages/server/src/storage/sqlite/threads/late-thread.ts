// A thread that begins when it is wanted. Where it cannot, for example because no file can be opened at
// the moment, not even its own, what it was wanted for fails as unavailable, and the next time it is tried
// again.
import type { Procedures, WorkerCalls } from './worker-calls.ts'

export class LateThread<P extends Procedures> {
  readonly #begin: (onFailedStart: () => void) => WorkerCalls<P>
  #begun: WorkerCalls<P> | undefined
  #delayMs: number | undefined
  #later: NodeJS.Timeout | undefined

  constructor(begin: (onFailedStart: () => void) => WorkerCalls<P>) {
    this.#begin = begin
  }

  get(): WorkerCalls<P> {
    this.#begun ??= this.#begin(() => this.#onFailedStart())
    return this.#begun
  }

  /** Begun when nobody has asked for it until then. */
  getLater(delayMs: number): void {
    this.#delayMs = delayMs
    this.#later = setTimeout(() => this.get(), delayMs).unref()
  }

  /** From now on it is begun no more by itself. */
  forget(): void {
    this.#delayMs = undefined
    clearTimeout(this.#later)
  }

  /** Nothing when it was never used. */
  get begun(): WorkerCalls<P> | undefined {
    return this.#begun
  }

  #onFailedStart(): void {
    this.#begun = undefined
    if (this.#delayMs !== undefined) this.getLater(this.#delayMs)
  }
}
