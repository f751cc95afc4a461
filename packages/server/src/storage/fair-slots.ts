// A few at once, and the askers take turns: whoever asks for one thing waits for the end of one, and not
// for all that another has asked for before.

type Waiting = { go: () => void; refuse: (reason: Error) => void }
/** Whoever waits longer is refused. */
type Patience = { waitMsMax: number; refusal: () => Error }

export class FairSlots<Asker> {
  #free: number
  /** The asker that is next in front. */
  readonly #waiting = new Map<Asker, Waiting[]>()

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
          this.#forget(asker, waiting)
          reject(patience.refusal())
        }, patience.waitMsMax)
      }
      const own = this.#waiting.get(asker)
      if (own === undefined) this.#waiting.set(asker, [waiting])
      else own.push(waiting)
    })
  }

  end(): void {
    const next = this.#next()
    if (next === undefined) this.#free += 1
    else next.go()
  }

  /** Whoever waits now. */
  refuseAll(reason: Error): void {
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

  #forget(asker: Asker, waiting: Waiting): void {
    const rest = (this.#waiting.get(asker) ?? []).filter((each) => each !== waiting)
    if (rest.length > 0) this.#waiting.set(asker, rest)
    else this.#waiting.delete(asker)
  }
}
