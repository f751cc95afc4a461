// How much text may be in an embedder at once. What is too much is refused at the door, before any
// work: a text that was let in is never refused halfway for want of room. The measure is characters,
// since time is spent on them, so that the longest wait is bounded and not only the number of those
// who wait. Queries have room of their own. An import bounds what it has under way by itself, and
// nobody waits behind it: it takes no room here.
import { EmbedderUnavailable } from './embedder.ts'
import { costOf } from './text-cost.ts'
import type { Urgency } from './urgent-first.ts'

export class Backlog {
  readonly #charactersMax: number
  readonly #characters = { urgent: 0, patient: 0 }

  /** A text is let in while those of its urgency have fewer characters than this. */
  constructor(charactersMax: number) {
    this.#charactersMax = charactersMax
  }

  /** Rejects at once with an EmbedderUnavailable when there is no room. */
  async admit<Result>(
    text: string,
    urgency: Urgency,
    embed: () => Promise<Result>,
  ): Promise<Result> {
    if (urgency === 'bulk') return embed()
    if (this.#isFull(urgency)) throw new EmbedderUnavailable('Too many texts wait for the model.')
    const cost = costOf(text)
    this.#characters[urgency] += cost
    try {
      return await embed()
    } finally {
      this.#characters[urgency] -= cost
    }
  }

  /** Whether a text of either kind would be let in. */
  hasRoom(): boolean {
    return !this.#isFull('urgent') && !this.#isFull('patient')
  }

  #isFull(urgency: 'urgent' | 'patient'): boolean {
    return this.#characters[urgency] >= this.#charactersMax
  }
}
