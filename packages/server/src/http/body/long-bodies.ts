// Reads long bodies so that those of one caller hold up no other, and are not all in memory: a few of each are
// gathered at a time, while the others stay where their senders have them, and all that have come are parsed in
// turns.
// decisions/2026-11-28-callers-take-turns.md
import type { IncomingMessage } from 'node:http'
import type { Asker } from '../../turns/fair-queue.ts'
import { PlacesOfEach } from '../../turns/places-of-each.ts'
import { LONG_BYTES, type ReadingTurns } from './reading-turns.ts'

/** Of one asker: more than a slow network needs to be full, and 64 MiB at most. */
const AT_ONCE_MAX = 64

/** By its headers: one whose length nobody tells may be. */
export const mayBeLong = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length']) >= LONG_BYTES

export class LongBodies {
  readonly #places = new PlacesOfEach(AT_ONCE_MAX)
  readonly #turns: ReadingTurns

  constructor(turns: ReadingTurns) {
    this.#turns = turns
  }

  /** What `parse` makes of what `gather` brings. Rejects with what either of them throws. */
  async read<Parsed>(
    asker: Asker,
    gather: () => Promise<Buffer>,
    parse: (bytes: Buffer) => Parsed,
  ): Promise<Parsed> {
    await this.#places.take(asker)
    try {
      const bytes = await gather()
      if (bytes.length < LONG_BYTES) return parse(bytes)
      const turn = this.#turns.of(asker)
      await turn.next()
      try {
        return parse(bytes)
      } finally {
        turn.spend(bytes.length)
      }
    } finally {
      this.#places.end(asker)
    }
  }
}
