// Bounds how many requests to the service are under way at once. The others wait: queries go before
// creates, creates before imports, and among equals the asker with the fewest under way goes first. A few more
// places are kept for askers with none under way: a service may take its time, and the slow texts of one key
// could hold all places.
// decisions/2026-11-21-remote-embedder.md
import { type Claim, type Urgency, UrgentFirst } from '../urgent-first.ts'

/**
 * Places beyond the others that whoever has none under way may take: queries two, creates the first of these. A bulk
 * takes none, since nobody waits for it.
 */
const KEPT_PLACES: Record<Urgency, number> = { urgent: 2, patient: 1, bulk: 0 }

type Waiting = PromiseWithResolvers<void> & { claim: Claim }

export class InFlight {
  readonly #max: number
  readonly #waiting = new UrgentFirst<Waiting>()
  /** By asker and urgency: one's own creates must not hold up a search either. */
  readonly #ownRunning = new Map<string, number>()
  #running = 0
  #closed: Error | undefined

  constructor(max: number) {
    this.#max = max
  }

  /** Rejects with the reason when it is refused, or given up by its signal, before it has begun. */
  async run<Result>(claim: Claim, request: () => Promise<Result>): Promise<Result> {
    if (this.#closed !== undefined) throw this.#closed
    const { urgency, asker, signal } = claim
    signal?.throwIfAborted()
    const waiting = { ...Promise.withResolvers<void>(), claim }
    this.#waiting.add(waiting, urgency, asker)
    signal?.addEventListener('abort', () => {
      if (this.#waiting.remove(waiting, urgency, asker)) waiting.reject(signal.reason)
    })
    this.#begin()
    await waiting.promise
    try {
      return await request()
    } finally {
      this.#count(claim, -1)
      this.#begin()
    }
  }

  refuseWaiting(reason: Error): void {
    for (const { reject } of this.#waiting.drain()) reject(reason)
  }

  /** Rejects what waits or comes later. Requests under way are the caller's. */
  close(reason: Error): void {
    this.#closed = reason
    this.refuseWaiting(reason)
  }

  #begin(): void {
    for (;;) {
      const next = this.#waiting.next(({ claim }) => this.#rankOf(claim))
      if (next === undefined) return
      this.#count(next.claim, 1)
      next.resolve()
    }
  }

  /** How many of its kind are under way; undefined while there is no place for it. */
  #rankOf(claim: Claim): number | undefined {
    const own = this.#ownRunning.get(keyOf(claim)) ?? 0
    const places = this.#max + (own === 0 ? KEPT_PLACES[claim.urgency] : 0)
    return this.#running < places ? own : undefined
  }

  #count(claim: Claim, change: 1 | -1): void {
    this.#running += change
    const key = keyOf(claim)
    const own = (this.#ownRunning.get(key) ?? 0) + change
    if (own === 0) this.#ownRunning.delete(key)
    else this.#ownRunning.set(key, own)
  }
}

const keyOf = ({ urgency, asker }: Claim): string => `${urgency} ${asker}`
