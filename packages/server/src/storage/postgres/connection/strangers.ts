// Whose turn it is at the connections when somebody shows a secret, such as a key. Known ones take turns each by
// itself. All others are one asker for each network that they come from: anybody can make up a thousand of them,
// and each would have a turn of its own before everybody else's next one.
// decisions/2026-11-28-callers-take-turns.md
import { LRUCache } from 'lru-cache'
import type { Asker } from '../../../turns/fair-queue.ts'

/** By size, each being one: by number, the cache would take the room of all of them at once. */
const REMEMBERED = { maxSize: 100_000, sizeCalculation: () => 1 }

export class Strangers {
  /** Hashes of secrets that were found in the database, in base64. */
  readonly #known = new LRUCache<string, true>(REMEMBERED)

  /** `name` is that of a known one. */
  askerOf(
    hash: Buffer,
    { name, network = 'nobody' }: { name: Asker; network?: string | undefined },
  ): Asker {
    return this.#known.has(hash.toString('base64')) ? name : `network ${network}`
  }

  /** It was found: from now on it is no stranger here. */
  meet(hash: Buffer): void {
    this.#known.set(hash.toString('base64'), true)
  }
}
