// What the lines of imports ask for. They come by the hundred, and those of one key take the row of its month
// one after another: each on a connection of its own, they would use up the time that anybody may wait for one,
// and an import would end for no other reason than that a commit takes some milliseconds. So a few are under
// way, the askers take turns, and the others wait without a connection, however long, while any comes through.
// When the database does not answer, all are told at once: nobody waits for one time limit after another.
import { StoreError } from '../../store.ts'

/** A space, or the id of a key. */
type Asker = number | string

type Waiting = { go: () => void; refuse: (reason: StoreError) => void }

/** What fails sooner is no silence, and costs whoever comes next no waiting. */
const SILENCE_MS_MIN = 1_000

export class BulkWork {
  #free: number
  /** The asker that is next in front. */
  readonly #waiting = new Map<Asker, Waiting[]>()
  #cameThroughAtMs = Number.NEGATIVE_INFINITY

  constructor(atOnceMax: number) {
    this.#free = atOnceMax
  }

  /** Rejects as `unavailable` what had to wait while the database fell silent. */
  async run<Result>(asker: Asker, work: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free -= 1
    else await this.#turnOf(asker)
    const beganAtMs = performance.now()
    try {
      const result = await work()
      this.#cameThroughAtMs = performance.now()
      return result
    } catch (error) {
      if (error instanceof StoreError && this.#isSilent(error, beganAtMs)) this.#refuseAll(error)
      throw error
    } finally {
      const next = this.#next()
      if (next === undefined) this.#free += 1
      else next.go()
    }
  }

  #turnOf(asker: Asker): Promise<void> {
    return new Promise((go, refuse) => {
      const own = this.#waiting.get(asker)
      if (own === undefined) this.#waiting.set(asker, [{ go, refuse }])
      else own.push({ go, refuse })
    })
  }

  #isSilent({ kind }: StoreError, beganAtMs: number): boolean {
    const hasLasted = performance.now() - beganAtMs >= SILENCE_MS_MIN
    return kind === 'unavailable' && hasLasted && this.#cameThroughAtMs < beganAtMs
  }

  #refuseAll(reason: StoreError): void {
    const all = [...this.#waiting.values()].flat()
    this.#waiting.clear()
    for (const { refuse } of all) refuse(reason)
  }

  #next(): Waiting | undefined {
    const [first] = this.#waiting
    if (first === undefined) return undefined
    const [asker, own] = first
    const next = own.shift()
    this.#waiting.delete(asker)
    if (own.length > 0) this.#waiting.set(asker, own)
    return next
  }
}
