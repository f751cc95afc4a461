// A few at once, and the askers take turns: whoever asks for one thing waits for the end of one, and not
// for all that another has asked for before.
import { type Asker, FairQueue } from './fair-queue.ts'

type Waiting = { go: () => void; refuse: (reason: Error) => void }
/** Whoever waits longer is refused, and whose signal comes while it waits has no turn. */
type Patience = {
  waitMsMax: number
  refusal: () => Error
  signal?: AbortSignal | undefined
}

export class FairSlots {
  #free: number
  readonly #waiting: FairQueue<Waiting>

  /** Where an asker has more than `inOrderMax` waiting, its oldest and its newest have turns. */
  constructor(atOnceMax: number, inOrderMax?: number) {
    this.#free = atOnceMax
    this.#waiting = new FairQueue(inOrderMax)
  }

  /**
   * Resolves when it is the asker's turn, which `end` ends. Rejects with what it is refused with, or with the
   * reason of the signal.
   */
  take(asker: Asker, patience?: Patience): Promise<void> {
    const signal = patience?.signal
    if (signal?.aborted) return Promise.reject(signal.reason)
    if (this.#free > 0) {
      this.#free -= 1
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      let late: NodeJS.Timeout | undefined
      const stopWaiting = (): void => {
        clearTimeout(late)
        signal?.removeEventListener('abort', leave)
      }
      const waiting: Waiting = {
        go: () => {
          stopWaiting()
          resolve()
        },
        refuse: (reason) => {
          stopWaiting()
          reject(reason)
        },
      }
      const giveUp = (reason: Error): void => {
        this.#waiting.remove(waiting, asker)
        waiting.refuse(reason)
      }
      const leave = (): void => giveUp(signal?.reason)
      signal?.addEventListener('abort', leave)
      if (patience !== undefined) {
        late = setTimeout(() => giveUp(patience.refusal()), patience.waitMsMax)
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
