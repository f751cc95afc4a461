// The lines of an input, read one at a time. A request that ends while it waits for a line leaves that line, or
// the failure to read it, to the next request: an input that has failed would only say that it has ended.
import type { Line } from '../../../http/body/split-lines.ts'

type Options = {
  /** The first line that the input may have. */
  fromLine: number
  /** The input may be ended under the reader then. */
  stop: AbortSignal
  onLine: (line: Line) => void
}

export class ReadAhead {
  readonly #lines: AsyncIterator<Line, void>
  readonly #options: Options
  #reading: Promise<void> | undefined
  #hasEnded = false
  #nextUnread: number | undefined

  constructor(lines: AsyncIterator<Line, void>, options: Options) {
    this.#lines = lines
    this.#options = options
    this.#nextUnread = options.fromLine
  }

  /** Nothing more will be read. */
  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** The first line that was not read, as long as there may be one. */
  get nextUnread(): number | undefined {
    return this.#nextUnread
  }

  /** Resolves when one more line was read, or none will be. */
  more(): Promise<void> {
    this.#reading ??= this.#read()
    return this.#reading
  }

  async #read(): Promise<void> {
    const { stop, onLine } = this.#options
    try {
      const { value, done } = await this.#lines.next()
      if (done) this.#nextUnread = undefined
      if (done || stop.aborted) {
        this.#hasEnded = true
        return
      }
      this.#nextUnread = value.number + 1
      onLine(value)
    } catch (error) {
      if (!stop.aborted) throw error
      this.#hasEnded = true
    }
    this.#reading = undefined
  }
}
