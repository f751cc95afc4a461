// A few at once, and the askers take turns: whoever asks for one thing waits for the end of one, and not
// for all that another has asked for before.
import { type Asker, FairQueue } from './fair-queue.ts'

type Waiting = { go: () => void; refuse: (reason: Error) => void }
/** Whoever waits longer is refused. */
type Patience = { waitMsMax: number; refusal: () => Error }

export class FairSlots {
  #free: number
  readonly #waiting = new FairQueue<Waiting>()

  constructor(atOnceMax: number) {
    this.#free = atOnceMax
  }

  /** Resolves when it is the asker's turn, which `end` ends. Rejects with what it is refused with. */
  take(asker: Asker, patience?: Patience): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      let late: NodeJS.Timeout | undefined
      const waiting: Waiting = {
        go: () => {
          clearTimeout(late)
          resolve()
        },
        refuse: (reason) => {
          clearTimeout(late)
          reject(reason)
        },
      }
      if (patience !== undefined) {
        late = setTimeout(() => {
          this.#waiting.remove(waiting, asker)
          reject(patience.refusal())
        }, patience.waitMsMax)
      }
      this.#waiting.add(waiting, asker)
    })
  }

  end(): void {
    const next = this.#waiting.next()
    if (next === undefined) this.#free += 1
    else next.go()
  }

  /** Whoever waits now. */
  refuseAll(reason: Error): void {
    for (const { refuse } of this.#waiting.drain()) refuse(reason)
  }
}
