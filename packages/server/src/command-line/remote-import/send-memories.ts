// Sends memories to a running server and goes on after every interruption: what was not decided when a
// connection broke or the service stopped is sent again, and its key sees to it that nothing is stored
// twice. Memory stays bounded: no more than so many lines are read ahead of their answers. Asked to stop,
// it reads no more, lets what was sent be answered, and waits for nothing else. When the quota is used up it
// sends no more, and has what was sent answered: lines are stored in any order, some of them behind one that
// is refused.
// decisions/2026-11-21-bulk-import.md
import { setTimeout as sleep } from 'node:timers/promises'
import type { Line } from '../../http/split-lines.ts'
import { CommandFailure, LostLines } from '../failure.ts'
import { type Answer, isOfTheServer, readAnswer } from './answer.ts'
import { connectionFailure } from './connection-failure.ts'
import { ImportRequest, RefusedImport, type Server } from './import-request.ts'
import { type LineRange, united } from './line-ranges.ts'
import type { ChosenLines } from './memory-lines.ts'

const LINES_AHEAD_MAX = 1_024
const BYTES_AHEAD_MAX = 8 * 1024 * 1024
/** A line at which the server fails so often is left out: the next one may well be stored. */
const TRIES_MAX = 3
const WAIT_MS_MIN = 500
const WAIT_MS_MAX = 30_000
/** How long the server may be away. */
const PATIENCE_MS = 5 * 60_000

export type Refused = { line: number; error: Record<string, unknown> }

type Sent = {
  created: number
  repeated: number
  refused: number
  /** Of the refused ones, those that were left out because the server failed. */
  failed: number
  /** The line at which the month's quota was used up, and what the server said. */
  exhausted: Refused | undefined
}

type SendOptions = {
  /** Of which lines the given ones are. */
  chosen: ChosenLines
  stop: AbortSignal
  onProgress: (sent: Sent) => void
  onRefused: (refused: Refused) => void
  /** Called with the reason before each wait. */
  onWait: (reason: string) => void
}

type Ahead = { number: number; bytes: Buffer; tries: number }

export class MemorySender {
  readonly #server: Server
  readonly #lines: AsyncIterator<Line, void>
  readonly #options: SendOptions
  readonly sent: Sent = { created: 0, repeated: 0, refused: 0, failed: 0, exhausted: undefined }
  /** Read and not decided, in their order; the first `#written` went out with this request. */
  #ahead: Ahead[] = []
  #written = 0
  /** The last line that was written to this request, or to one that broke. */
  #lastWritten = 0
  #bytesAhead = 0
  /** At these the server failed, or the quota was used up: they go first with the next request. */
  #failed: Ahead[] = []
  /** Those of which `exceptBehind` tells, and any in front of them. */
  #leftOut: LineRange[]
  #wasReached = false
  #reading: Promise<void> | undefined
  #hasEnded = false
  /** The first line that was not read, as long as there may be one. */
  #nextUnread: number | undefined
  #onRoom: () => void = () => undefined

  constructor(server: Server, lines: AsyncIterator<Line, void>, options: SendOptions) {
    this.#server = server
    this.#lines = lines
    this.#options = options
    this.#nextUnread = options.chosen.fromLine
    this.#leftOut = [...options.chosen.except]
  }

  /** Throws a CommandFailure when this caller may not import, the server is away for too long, or lines are lost. */
  async send(): Promise<void> {
    let waitMs = WAIT_MS_MIN
    let progressAtMs = performance.now()
    const { stop } = this.#options
    while (!stop.aborted) {
      const before = this.#decided
      const hindrance = await this.#request()
      if (hindrance === undefined || stop.aborted) return
      if (this.#decided > before) {
        waitMs = WAIT_MS_MIN
        progressAtMs = performance.now()
      } else if (!this.#wasReached) {
        throw new CommandFailure(`The server cannot be reached (${connectionFailure(hindrance)}).`)
      } else if (performance.now() - progressAtMs > PATIENCE_MS) {
        throw new CommandFailure(`The server does not take lines any more (${hindrance.message}).`)
      }
      this.#options.onWait(hindrance.message)
      const toldMs = hindrance instanceof RefusedImport ? hindrance.retryAfterMs : 0
      await sleep(Math.max(waitMs, toldMs), undefined, { signal: stop }).catch(() => undefined)
      waitMs = Math.min(2 * waitMs, WAIT_MS_MAX)
    }
  }

  /** The first line that is neither stored nor refused. Undefined when there is none. */
  get nextLine(): number | undefined {
    return [...this.#failed, ...this.#ahead][0]?.number ?? this.#nextUnread
  }

  /** The lines behind `nextLine` that are stored or refused, or were never to be sent. */
  get exceptBehind(): LineRange[] {
    const next = this.nextLine ?? Number.POSITIVE_INFINITY
    return united(this.#leftOut).filter(({ to }) => to > next)
  }

  /** From the first to the last of the lines that were sent when a connection broke, and not answered. */
  get unanswered(): LineRange | undefined {
    const lines = this.#ahead.filter((line) => this.#maybeStored(line))
    const [first, last] = [lines[0], lines.at(-1)]
    return first && last && { from: first.number, to: last.number }
  }

  get #decided(): number {
    return this.sent.created + this.sent.repeated + this.sent.refused
  }

  /** Sends all that is left with one request. What kept it from its end, if anything did. */
  async #request(): Promise<Error | undefined> {
    this.#ahead = [...this.#failed.splice(0), ...this.#ahead]
    this.#leftOut = this.exceptBehind
    this.#written = 0
    this.sent.exhausted = undefined
    const writtenBefore = this.#lastWritten
    let isCut = false
    const request = new ImportRequest(this.#server)
    const leave = (): void => {
      if (!request.hasConnected) request.close()
    }
    this.#options.stop.addEventListener('abort', leave)
    let unreadable: Error | undefined
    const writing = this.#write(request).catch((error: unknown) => {
      unreadable = toError(error)
      request.close()
    })
    try {
      return await this.#read(request)
    } catch (error) {
      const isRefusal = error instanceof CommandFailure || error instanceof RefusedImport
      isCut = request.hasConnected && !isRefusal
      if (unreadable !== undefined) throw unreadable
      if (error instanceof CommandFailure) throw error
      return toError(error)
    } finally {
      this.#wasReached ||= request.hasConnected
      this.#options.stop.removeEventListener('abort', leave)
      request.close()
      await writing
      // A server that has said its last word has stored nothing else.
      if (!isCut) this.#lastWritten = writtenBefore
    }
  }

  async #write(request: ImportRequest): Promise<void> {
    while (!request.isClosed) {
      const next = this.#ahead[this.#written]
      if (this.sent.exhausted !== undefined && !this.#maybeStored(next)) return request.end()
      if (next !== undefined) {
        this.#written += 1
        this.#lastWritten = Math.max(this.#lastWritten, next.number)
        await request.write(next.bytes)
      } else if (this.#hasEnded) {
        return request.end()
      } else if (this.#isFull()) {
        const room = new Promise<void>((resolve) => {
          this.#onRoom = resolve
        })
        await request.unlessClosed(room)
      } else {
        this.#reading ??= this.#readAhead()
        await request.unlessClosed(this.#reading)
      }
    }
  }

  async #readAhead(): Promise<void> {
    try {
      const { value, done } = await this.#lines.next()
      if (done) this.#nextUnread = undefined
      if (done || this.#options.stop.aborted) {
        this.#hasEnded = true
        return
      }
      this.#nextUnread = value.number + 1
      if (value.bytes === undefined) {
        const error = { code: 'PAYLOAD_TOO_LARGE', message: 'The line must have at most 1 MiB.' }
        this.#refuse({ line: value.number, error })
      } else {
        this.#ahead.push({ number: value.number, bytes: value.bytes, tries: 0 })
        this.#bytesAhead += value.bytes.length
      }
    } catch (error) {
      // It stays where it is, for nobody may wait for it now: asked again, the input would have ended.
      if (!this.#options.stop.aborted) throw error
      // The input was ended under the reader.
      this.#hasEnded = true
    }
    this.#reading = undefined
  }

  #isFull(): boolean {
    return this.#ahead.length >= LINES_AHEAD_MAX || this.#bytesAhead >= BYTES_AHEAD_MAX
  }

  async #read(request: ImportRequest): Promise<Error | undefined> {
    for await (const line of request.answers()) {
      const answer = readAnswer(line)
      if (answer.kind === 'end') {
        if (answer.stopped !== undefined) return new Error(answer.stopped)
        if (this.nextLine !== undefined && !this.#options.stop.aborted) throw lostLines()
        return undefined
      }
      this.#decide(answer)
      this.#onRoom()
      this.#options.onProgress(this.sent)
      if (this.sent.exhausted !== undefined) {
        if (!this.#maybeStored(this.#ahead[0])) return undefined
        // Whoever writes may wait for a line of a silent input.
        if (!this.#maybeStored(this.#ahead[this.#written])) request.end()
      }
    }
    throw new Error('the connection ended')
  }

  /**
   * Whether it was sent, with this request or one that broke. Then it is sent again also when the quota is
   * used up, and nothing else is: only its answer tells what became of it.
   */
  #maybeStored(line: Ahead | undefined): boolean {
    return line !== undefined && line.number <= this.#lastWritten
  }

  #decide(answer: Exclude<Answer, { kind: 'end' }>): void {
    const line = this.#ahead.shift()
    if (line === undefined) throw new CommandFailure('The server answers what nobody sent.')
    this.#written -= 1
    if (answer.kind !== 'refused') {
      this.sent[answer.kind] += 1
    } else if (answer.code === 'QUOTA_EXCEEDED') {
      this.sent.exhausted ??= { line: line.number, error: answer.error }
      this.#failed.push(line)
      return
    } else if (isOfTheServer(answer.code) && line.tries + 1 < TRIES_MAX) {
      this.#failed.push({ ...line, tries: line.tries + 1 })
      return
    } else {
      if (isOfTheServer(answer.code)) this.sent.failed += 1
      this.#refuse({ line: line.number, error: answer.error })
    }
    if (this.#failed.length > 0) this.#leftOut.push({ from: line.number, to: line.number })
    this.#bytesAhead -= line.bytes.length
  }

  #refuse(refused: Refused): void {
    this.sent.refused += 1
    this.#options.onRefused(refused)
  }
}

const lostLines = (): LostLines =>
  new LostLines(
    'Lines were lost on the way: fewer were answered than were sent. So does a proxy that takes no body once ' +
      'the answer has begun.',
  )

const toError = (error: unknown): Error =>
  error instanceof Error ? error : new Error(String(error))
