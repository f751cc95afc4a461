// Reads long bodies so that those of one caller hold up no other, and are not all in memory: of those that say
// that they are long a few of each are gathered at a time, while the others stay where their senders have them,
// and all that have come are parsed in turns.
// decisions/2026-11-28-callers-take-turns.md
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Asker } from '../../turns/fair-queue.ts'
import { PlacesOfEach } from '../../turns/places-of-each.ts'
import { LONG_BYTES, type ReadingTurns } from './reading-turns.ts'

/** Of one asker: more than a slow network needs to be full, and 64 MiB at most. */
const AT_ONCE_MAX = 64

/**
 * One in chunks does not, and is gathered as it comes: what is unread of it is kept chunk by chunk, and one of a
 * single byte takes the room of hundreds.
 */
export const saysItIsLong = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  Number(headers['content-length']) >= LONG_BYTES

type LongBody<Parsed> = {
  socket: Pick<Socket, 'pause' | 'resume'>
  gather: () => Promise<Buffer>
  parse: (bytes: Buffer) => Parsed
}

export class LongBodies {
  readonly #places = new PlacesOfEach(AT_ONCE_MAX)
  readonly #turns: ReadingTurns

  constructor(turns: ReadingTurns) {
    this.#turns = turns
  }

  /** What `parse` makes of what `gather` brings. Rejects with what either of them throws. */
  async read<Parsed>(asker: Asker, { socket, gather, parse }: LongBody<Parsed>): Promise<Parsed> {
    // Node would go on for 64 KiB, and keep each piece by itself, which may be a single byte.
    socket.pause()
    await this.#places.take(asker)
    socket.resume()
    try {
      return await this.parse(asker, await gather(), parse)
    } finally {
      this.#places.end(asker)
    }
  }

  /** The same of one that has come. */
  async parse<Parsed>(
    asker: Asker,
    bytes: Buffer,
    parse: (bytes: Buffer) => Parsed,
  ): Promise<Parsed> {
    const turn = this.#turns.of(asker)
    await turn.next()
    try {
      return parse(bytes)
    } finally {
      turn.spend(bytes.length)
    }
  }
}
