// Whether a service away from here can be counted on. Several failures in a row say no, one
// success says yes. While the answer is no, the service is asked from time to time: whoever steers
// requests by our readiness would otherwise never send the one that finds it well again.

/** A single failure happens to everybody. */
const FAILURES_MAX = 3

export class Health {
  readonly #check: () => Promise<unknown>
  readonly #checkIntervalMs: number
  #failuresInRow = 0
  #nextCheck: NodeJS.Timeout | undefined
  #closed = false

  /** `check` reports its outcome here like every other request. */
  constructor(check: () => Promise<unknown>, checkIntervalMs: number) {
    this.#check = check
    this.#checkIntervalMs = checkIntervalMs
  }

  isGood(): boolean {
    return this.#failuresInRow < FAILURES_MAX
  }

  onSuccess(): void {
    this.#failuresInRow = 0
    clearTimeout(this.#nextCheck)
    this.#nextCheck = undefined
  }

  onFailure(): void {
    this.#failuresInRow += 1
    if (this.isGood() || this.#nextCheck !== undefined || this.#closed) return
    this.#nextCheck = setTimeout(() => {
      this.#nextCheck = undefined
      // Its failure comes in as onFailure and asks for the next check.
      this.#check().catch(() => undefined)
    }, this.#checkIntervalMs)
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#nextCheck)
  }
}
