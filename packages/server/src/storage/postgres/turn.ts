// A loop over many rows runs on the thread that serves everybody: it looks at the time, and lets others have
// their turn in between.
import { setImmediate as nextTurn } from 'node:timers/promises'

const TURN_MS_MAX = 5

/** Begins when it is made. A loop awaits `pass` only when it is over, since to await takes time too. */
export class Turn {
  #beganMs = performance.now()

  isOver(): boolean {
    return performance.now() - this.#beganMs > TURN_MS_MAX
  }

  /** Resolves when it is one's turn again. */
  async pass(): Promise<void> {
    await nextTurn()
    this.#beganMs = performance.now()
  }
}
