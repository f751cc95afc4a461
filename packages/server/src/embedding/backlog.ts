// How much text may be in an embedder at once. What is too much is refused at the door, before any
// work: a text that was let in is never refused halfway for want of room. The measure is characters,
// since time is spent on them, so that the longest wait is bounded and not only the number of those
// who wait. Queries have room of their own. The last quarter is for askers who have nothing in:
// their turns at the model (turns/fair-queue.ts) would be of no use to those whom another one's texts keep
// out. As there, an asker is a space, so an account has as many as it has keys. An import bounds
// what it has under way by itself, and nobody waits behind it: it takes no room here.
// decisions/2026-11-21-remote-embedder.md
import { EmbedderUnavailable } from './embedder.ts'
import { costOf } from './text-cost.ts'
import type { Claim } from './urgent-first.ts'

/** How much of the room is for those, too, who have something in. */
const OPEN_TO_ALL = 0.75

/** Characters: of all, and of each asker who has any. What has no asker is as one asker's. */
type Inside = { all: number; own: Map<Claim['asker'], number> }

export class Backlog {
  readonly #charactersMax: number
  readonly #urgent: Inside = { all: 0, own: new Map() }
  readonly #patient: Inside = { all: 0, own: new Map() }

  /**
   * A text is let in while those of its urgency have fewer characters than this; from three
   * quarters of it on only that of an asker who has none of its urgency in.
   */
  constructor(charactersMax: number) {
    this.#charactersMax = charactersMax
  }

  /** Rejects at once with an EmbedderUnavailable when there is no room. */
  async admit<Result>(
    text: string,
    { urgency, asker }: Claim,
    embed: () => Promise<Result>,
  ): Promise<Result> {
    if (urgency === 'bulk') return embed()
    const inside = urgency === 'urgent' ? this.#urgent : this.#patient
    const share = inside.own.has(asker) ? OPEN_TO_ALL : 1
    if (inside.all >= this.#charactersMax * share) {
      throw new EmbedderUnavailable('Too many texts wait for the model.')
    }
    const cost = costOf(text)
    count(inside, asker, cost)
    try {
      return await embed()
    } finally {
      count(inside, asker, -cost)
    }
  }

  /** Whether a text of either kind would be let in, of an asker who has none in. */
  hasRoom(): boolean {
    return [this.#urgent, this.#patient].every(({ all }) => all < this.#charactersMax)
  }
}

function count(inside: Inside, asker: Claim['asker'], change: number): void {
  inside.all += change
  const own = (inside.own.get(asker) ?? 0) + change
  if (own === 0) inside.own.delete(asker)
  else inside.own.set(asker, own)
}
