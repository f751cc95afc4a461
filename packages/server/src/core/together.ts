// Lets those who wait go on together: when enough have come, or the first has waited long enough. What
// comes from the model one by one is committed in groups this way, where nobody waits much longer for it.
// A commit for each costs a tenth of the time of the model.
// decisions/2026-11-21-bulk-import.md

export class Together {
  readonly #countMax: number
  #waiting: (() => void)[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(countMax: number) {
    this.#countMax = countMax
  }

  /** How long counts for the first of those who wait. */
  wait(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      if (this.#waiting.length >= this.#countMax) this.#letGo()
      else this.#timer ??= setTimeout(() => this.#letGo(), delayMs)
    })
  }

  #letGo(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    for (const go of this.#waiting.splice(0)) go()
  }
}
