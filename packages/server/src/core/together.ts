// Lets those who wait go on together: when enough have come, or the first has waited long enough. What
// an import has embedded is committed in groups this way. A commit for each costs a tenth of the time
// of the model, and nobody waits for a single line of an import.
// decisions/2026-11-21-bulk-import.md

export class Together {
  readonly #countMax: number
  readonly #delayMs: number
  #waiting: (() => void)[] = []
  #timer: NodeJS.Timeout | undefined

  constructor({ countMax, delayMs }: { countMax: number; delayMs: number }) {
    this.#countMax = countMax
    this.#delayMs = delayMs
  }

  wait(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      if (this.#waiting.length >= this.#countMax) this.#letGo()
      else this.#timer ??= setTimeout(() => this.#letGo(), this.#delayMs)
    })
  }

  #letGo(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    for (const go of this.#waiting.splice(0)) go()
  }
}
