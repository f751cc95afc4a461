// What may take long goes a few at a time, so that whatever is short is answered at once, however many of them
// one key asks for. The spaces take turns: a search waits for the end of one, and not for all that another key
// has asked for before. Nobody waits for ever.
import type { SpaceId } from './records.ts'
import { StoreOverloaded } from './store.ts'

type Waiting = { go: () => void }

export class LongReads {
  readonly #waitMsMax: number
  #free: number
  /** The space that is next in front. */
  readonly #waiting = new Map<SpaceId, Waiting[]>()

  constructor({ atOnceMax, waitMsMax }: { atOnceMax: number; waitMsMax: number }) {
    this.#waitMsMax = waitMsMax
    this.#free = atOnceMax
  }

  /** Rejects with a StoreOverloaded when its turn does not come in time. */
  async run<Result>(space: SpaceId, read: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free -= 1
    else await this.#turnOf(space)
    try {
      return await read()
    } finally {
      const next = this.#next()
      if (next === undefined) this.#free += 1
      else next.go()
    }
  }

  #turnOf(space: SpaceId): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = setTimeout(() => {
        this.#forget(space, waiting)
        reject(new StoreOverloaded('Others have all the turns of long reads.'))
      }, this.#waitMsMax)
      const waiting = {
        go: () => {
          clearTimeout(giveUp)
          resolve()
        },
      }
      const own = this.#waiting.get(space)
      if (own === undefined) this.#waiting.set(space, [waiting])
      else own.push(waiting)
    })
  }

  #next(): Waiting | undefined {
    const [first] = this.#waiting
    if (first === undefined) return undefined
    const [space, own] = first
    const next = own.shift()
    this.#waiting.delete(space)
    if (own.length > 0) this.#waiting.set(space, own)
    return next
  }

  #forget(space: SpaceId, waiting: Waiting): void {
    const rest = (this.#waiting.get(space) ?? []).filter((each) => each !== waiting)
    if (rest.length > 0) this.#waiting.set(space, rest)
    else this.#waiting.delete(space)
  }
}
