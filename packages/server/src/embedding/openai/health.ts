// Whether a service away from here can be counted on. Several failures in a row say no, one
// success says yes. While the answer is no, the service is asked, at once and then from time to time:
// whoever steers requests by our readiness would otherwise never send the one that finds it well again.
// Checks follow one another until the service is well, whatever it answers to them.

/** A single failure happens to everybody. */
const FAILURES_MAX = 3

type HealthOptions = {
  /** Rejects while the service is not well. */
  check: () => Promise<unknown>
  checkIntervalMs: number
  /** With every failure while the service cannot be counted on. */
  onAway: () => void
}

export class Health {
  readonly #options: HealthOptions
  #failuresInRow = 0
  /** One at a time, that which waits for its time included. */
  #isChecking = false
  #nextCheck: NodeJS.Timeout | undefined
  #closed = false

  constructor(options: HealthOptions) {
    this.#options = options
  }

  isGood(): boolean {
    return this.#failuresInRow < FAILURES_MAX
  }

  onSuccess(): void {
    this.#failuresInRow = 0
  }

  onFailure(): void {
    this.#failuresInRow += 1
    if (!this.isGood()) this.#options.onAway()
    this.#checkUnlessGood(0)
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#nextCheck)
  }

  #checkUnlessGood(afterMs: number): void {
    if (this.isGood() || this.#isChecking || this.#closed) return
    this.#isChecking = true
    this.#nextCheck = setTimeout(async () => {
      await this.#options.check().then(
        () => this.onSuccess(),
        () => undefined,
      )
      this.#isChecking = false
      this.#checkUnlessGood(this.#options.checkIntervalMs)
    }, afterMs)
  }
}
