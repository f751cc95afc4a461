// Bounds the text that all imports of an instance have under way together, in characters, since these are
// what the model spends its time on. The line that has waited longest is let in first, and a stream asks for
// one line at a time: so streams take turns.
import { costOf } from '../../embedding/text-cost.ts'

export class Room {
  readonly #charactersMax: number
  #taken = 0
  readonly #waiting: { cost: number; letIn: () => void }[] = []

  constructor(charactersMax: number) {
    this.#charactersMax = charactersMax
  }

  /**
   * Resolves when there is room, with what gives it back. A text that is larger than the whole room
   * is let in alone. Resolves with undefined when the signal comes first.
   */
  async take(text: string, signal: AbortSignal): Promise<(() => void) | undefined> {
    if (signal.aborted) return undefined
    const cost = costOf(text)
    if (this.#waiting.length > 0 || !this.#hasRoom(cost)) {
      const isIn = await this.#wait(cost, signal)
      if (!isIn) return undefined
    } else {
      this.#taken += cost
    }
    return () => {
      this.#taken -= cost
      this.#letIn()
    }
  }

  #wait(cost: number, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const waiting = {
        cost,
        letIn: () => {
          signal.removeEventListener('abort', leave)
          resolve(true)
        },
      }
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
        resolve(false)
        this.#letIn()
      }
      this.#waiting.push(waiting)
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  #letIn(): void {
    for (;;) {
      const [next] = this.#waiting
      if (next === undefined || !this.#hasRoom(next.cost)) return
      this.#waiting.shift()
      this.#taken += next.cost
      next.letIn()
    }
  }

  #hasRoom(cost: number): boolean {
    return this.#taken === 0 || this.#taken + cost <= this.#charactersMax
  }
}
