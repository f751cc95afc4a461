// Tells work that goes on beside other calls when its caller has left. Nearly all of it is done before anybody
// asks, so the signal is made when it is asked for: one for each search raised the p99 of searches among 100,000
// memories by more than half.

export class Leaving {
  #controller: AbortController | undefined
  #hasLeft = false

  get hasLeft(): boolean {
    return this.#hasLeft
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    if (this.#hasLeft) this.#controller.abort()
    return this.#controller.signal
  }

  leave(): void {
    this.#hasLeft = true
    this.#controller?.abort()
  }
}
