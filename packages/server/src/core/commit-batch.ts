// Lets memories share a commit: embeddings become ready one by one, and a commit for each would cost a tenth of
// the model's time. A batch is committed when it is full, when its first member has waited long enough, or when
// all that could join it have.
// decisions/2026-11-21-bulk-import.md

export class CommitBatch {
  readonly #countMax: number
  #waiting: (() => void)[] = []
  #timer: NodeJS.Timeout | undefined
  #underWay = 0

  constructor(countMax: number) {
    this.#countMax = countMax
  }

  /** How many run, of which some may be waiting. */
  get underWay(): number {
    return this.#underWay
  }

  /** Work that may wait for others. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#underWay += 1
    try {
      return await work()
    } finally {
      this.#underWay -= 1
      this.#look()
    }
  }

  /** Within `run`. `delayMs` counts from the first that waits; those that join it wait no longer. */
  wait(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      this.#timer ??= setTimeout(() => this.#letGo(), delayMs)
      this.#look()
    })
  }

  #look(): void {
    const count = this.#waiting.length
    if (count >= this.#countMax || count >= this.#underWay) this.#letGo()
  }

  #letGo(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    for (const go of this.#waiting.splice(0)) go()
  }
}
