// Where lines of the log go. Whoever should take them may have no room, may not read, or may be gone, and
// none of that holds up the service: what cannot be written is dropped, and the next line that can be says
// how many are missing. What waits has a bound. Lines come out whole and in order.
//
// One write is under way at a time: however long it waits, it holds only one of the four threads in which Node
// reads and writes files. It should not wait at all, since Node does not end before its threads. So a pipe or
// a terminal is opened anew, in a way that never blocks, whatever others do with theirs.
// decisions/2026-11-21-command-line.md
import { constants, fstatSync, openSync, write, writeSync } from 'node:fs'
import { isatty } from 'node:tty'
import type { DestinationStream } from 'pino'
import { errorCodeOf } from './error-code.ts'
import { pauseThread } from './pause-thread.ts'

export const WAITING_BYTES_MAX = 1024 * 1024
/** A pipe takes so much whole or not at all, beside what other processes write. */
const PIECE_BYTES_MAX = 4_096
/** Fast enough for a reader that is only late. */
const RETRY_MS = 50
/** How long a reader that is only late may take at the end of the process, when nothing tells that it reads. */
const END_PATIENCE_MS = 200
const END_PAUSE_MS = 25

const NEWLINE = 0x0a

/** `lines`: how many are lost when this one is. One, or all those whose loss it tells of. */
type Line = { bytes: Buffer; lines: number }
type Piece = { lines: Line[]; bytes: Buffer; written: number }

export class LogDestination implements DestinationStream {
  readonly #descriptor: number
  #waiting: Line[] = []
  #waitingBytes = 0
  /** What was begun, or has to be tried again. Undefined while it is under way. */
  #piece: Piece | undefined
  #isUnderWay = false
  /** A turn, a write or a timer will go on with what waits. */
  #goesOn = false
  #dropped = 0
  /** Whether what was written last ends within a line. */
  #isTorn = false

  constructor(descriptor: number) {
    this.#descriptor = withoutBlocking(descriptor)
  }

  /** `line` ends with a newline. Never throws. */
  write(line: string): void {
    const bytes = Buffer.from(line)
    // After lines were dropped half has to be free again: else every other line would be dropped.
    const bytesMax = this.#dropped > 0 ? WAITING_BYTES_MAX / 2 : WAITING_BYTES_MAX
    if (this.#waitingBytes + bytes.length > bytesMax) {
      this.#dropped += 1
      return
    }
    if (this.#dropped > 0) {
      this.#add({ bytes: Buffer.from(gapOf(this.#dropped)), lines: this.#dropped })
      this.#dropped = 0
    }
    this.#add({ bytes, lines: 1 })
    if (this.#goesOn) return
    this.#goesOn = true
    setImmediate(() => this.#writeNext())
  }

  /**
   * For the end of the process, and what is logged right before it. What is not taken within a moment is
   * lost.
   */
  flushSync(): void {
    const giveUpAtMs = performance.now() + END_PATIENCE_MS
    // Its end cannot be heard of in here. A moment later it has come, so the order stays.
    if (this.#isUnderWay) pauseThread(END_PAUSE_MS)
    for (let piece = this.#nextPiece(); piece !== undefined; piece = this.#nextPiece()) {
      this.#piece = piece
      try {
        this.#advance(piece, writeSync(this.#descriptor, piece.bytes, piece.written))
      } catch (error) {
        if (isForNow(error) && performance.now() < giveUpAtMs) pauseThread(END_PAUSE_MS)
        else this.#drop(piece)
      }
    }
  }

  #add(line: Line): void {
    this.#waiting.push(line)
    this.#waitingBytes += line.bytes.length
  }

  #writeNext(): void {
    const piece = this.#nextPiece()
    this.#piece = undefined
    this.#goesOn = piece !== undefined
    if (piece === undefined) return
    this.#isUnderWay = true
    write(this.#descriptor, piece.bytes, piece.written, null, null, (error, written) => {
      this.#isUnderWay = false
      if (error === null) this.#advance(piece, written)
      else if (!isForNow(error)) this.#drop(piece)
      else {
        this.#piece = piece
        setTimeout(() => this.#writeNext(), RETRY_MS).unref()
        return
      }
      this.#writeNext()
    })
  }

  #nextPiece(): Piece | undefined {
    if (this.#piece !== undefined) return this.#piece
    if (this.#waiting.length === 0) return undefined
    let count = 0
    let length = 0
    for (const { bytes } of this.#waiting) {
      if (count > 0 && length + bytes.length > PIECE_BYTES_MAX) break
      count += 1
      length += bytes.length
    }
    const lines = this.#waiting.splice(0, count)
    this.#waitingBytes -= length
    const all = lines.map(({ bytes }) => bytes)
    if (this.#isTorn) all.unshift(Buffer.of(NEWLINE))
    return { lines, bytes: Buffer.concat(all), written: 0 }
  }

  #advance(piece: Piece, written: number): void {
    piece.written += written
    this.#isTorn = piece.bytes[piece.written - 1] !== NEWLINE
    this.#piece = piece.written < piece.bytes.length ? piece : undefined
  }

  #drop({ lines, bytes, written }: Piece): void {
    this.#piece = undefined
    let left = bytes.length - written
    // From its end: what was written of it is its beginning.
    for (const line of lines.toReversed()) {
      if (left <= 0) return
      left -= line.bytes.length
      this.#dropped += line.lines
    }
  }
}

let ofProcess: LogDestination | undefined

/** There is one stderr, so there is one order of what is written to it. */
export function logToStderr(): LogDestination {
  if (ofProcess === undefined) {
    const log = new LogDestination(2)
    process.on('exit', () => log.flushSync())
    ofProcess = log
  }
  return ofProcess
}

/** As pino writes a warning. */
const gapOf = (dropped: number): string =>
  `${JSON.stringify({ level: 40, time: Date.now(), dropped, msg: 'lines of the log could not be written' })}\n`

/** Whoever reads has no room for now. */
const isForNow = (error: unknown): boolean => errorCodeOf(error) === 'EAGAIN'

/**
 * Whether a descriptor blocks is shared by all processes that have it from the same parent, and Node, when it
 * ends, puts that back for all of them. Where there is no other way to it, as to a socket, it is shared.
 */
function withoutBlocking(descriptor: number): number {
  try {
    if (!fstatSync(descriptor).isFIFO() && !isatty(descriptor)) return descriptor
    const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants
    return openSync(`/dev/fd/${descriptor}`, O_WRONLY | O_NONBLOCK | O_NOCTTY)
  } catch {
    return descriptor
  }
}
