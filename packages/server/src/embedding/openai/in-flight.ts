// Bounds how many requests are under way at once; the others wait, the urgent ones in front, and those
// who ask take turns.
import { type Claim, UrgentFirst } from '../urgent-first.ts'

export class InFlight {
  readonly #max: number
  readonly #waiting = new UrgentFirst<PromiseWithResolvers<void>>()
  #running = 0
  #closed: Error | undefined

  constructor(max: number) {
    this.#max = max
  }

  async run<Result>({ urgency, asker }: Claim, request: () => Promise<Result>): Promise<Result> {
    if (this.#closed !== undefined) throw this.#closed
    if (this.#running >= this.#max) {
      const turn = Promise.withResolvers<void>()
      this.#waiting.add(turn, urgency, asker)
      // The request that ends hands over its place, so #running stays as it is.
      await turn.promise
    } else {
      this.#running += 1
    }
    try {
      return await request()
    } finally {
      const next = this.#waiting.next()
      if (next === undefined) this.#running -= 1
      else next.resolve()
    }
  }

  /** Rejects what waits or comes later. Requests under way are the caller's. */
  close(reason: Error): void {
    this.#closed = reason
    for (const turn of this.#waiting.drain()) turn.reject(reason)
  }
}
