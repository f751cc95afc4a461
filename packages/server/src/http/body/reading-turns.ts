// Whose turn it is to read long bodies, and lines of an import. What is refused, or blank, costs no model and
// no quota, only time of the event loop, which all requests share. So in each round of the loop one body is
// read, or one stream of the instance reads, for a few milliseconds or one long line; after anything long
// nobody's turn comes for as long as that took, since a request takes several rounds. The accounts take turns,
// so that many streams or bodies of one do not hold up another's.
// decisions/2026-11-21-bulk-import.md, decisions/2026-11-28-callers-take-turns.md
import { type Asker, FairQueue } from '../../turns/fair-queue.ts'

const TURN_MS_MAX = 5
/** More than a long memory takes. To parse 1 MiB takes between one millisecond and fifty. */
export const LONG_BYTES = 64 * 1024

/** What a stream, or a body, has of its turns. */
export type ReadingTurn = {
  /** Whether another line may be read at once. */
  lasts: () => boolean
  /** Resolves when it may be. */
  next: () => Promise<void>
  /** To be told of whatever has been read; something long was the last of its turn. */
  spend: (bytes: number) => void
}

type Stream = { begin: () => void }

export class ReadingTurns {
  readonly #waiting = new FairQueue<Stream>()
  /** Whose turn it is in this round of the event loop; it may go unused. */
  #current: Stream | undefined
  #beganAtMs = 0
  #endsAtMs = 0
  #restMs = 0

  of(asker: Asker): ReadingTurn {
    const stream: Stream = { begin: () => undefined }
    return {
      lasts: () => this.#current === stream && performance.now() < this.#endsAtMs,
      next: () =>
        new Promise((resolve) => {
          stream.begin = resolve
          this.#waiting.add(stream, asker)
          if (this.#current === undefined) this.#pass()
        }),
      spend: (bytes) => {
        if (this.#current !== stream || bytes < LONG_BYTES) return
        this.#endsAtMs = 0
        this.#restMs = performance.now() - this.#beganAtMs
      },
    }
  }

  #pass(): void {
    this.#current = this.#waiting.next()
    if (this.#current === undefined) return
    this.#beganAtMs = performance.now()
    this.#endsAtMs = this.#beganAtMs + TURN_MS_MAX
    this.#restMs = 0
    setImmediate(() => this.#rest())
    this.#current.begin()
  }

  #rest(): void {
    if (this.#restMs > 0) setTimeout(() => this.#pass(), this.#restMs)
    else this.#pass()
  }
}
