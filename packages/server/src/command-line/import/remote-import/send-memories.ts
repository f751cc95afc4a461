// Sends memories to a running server and goes on after every interruption: what was not decided when a
// connection broke or the service stopped is sent again, and its key sees to it that nothing is stored
// twice. Asked to stop, it reads no more, lets what was sent be answered, and waits for nothing else. When the
// quota is used up it sends no more, and has what was sent answered: lines are stored in any order, some of
// them behind one that is refused.
// decisions/2026-11-21-bulk-import.md
import { setTimeout as sleep } from 'node:timers/promises'
import type { Line } from '../../../http/body/split-lines.ts'
import { connectionFailure } from '../../connection-failure.ts'
import { CommandFailure, LostLines } from '../../failure.ts'
import { type Answer, isOfTheServer, readAnswer } from './answer.ts'
import { ImportRequest, RefusedImport, type Server } from './import-request.ts'
import type { LineRange } from './line-ranges.ts'
import type { ChosenLines } from './memory-lines.ts'
import { ReadAhead } from './read-ahead.ts'
import { type UndecidedLine, UndecidedLines } from './undecided-lines.ts'

/** A line at which the server fails so often, and not at others, is left out: the next one may well be stored. */
const TRIES_MAX = 3
const WAIT_MS_MIN = 500
const WAIT_MS_MAX = 30_000
/** How long the server may be away. */
const PATIENCE_MS = 5 * 60_000

export type Refused = { line: number; error: Record<string, unknown> }
type Failed = { line: UndecidedLine; error: Refused['error'] }

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

export class MemorySender {
  readonly #server: Server
  readonly #options: SendOptions
  readonly #input: ReadAhead
  readonly #undecided: UndecidedLines
  readonly sent: Sent = { created: 0, repeated: 0, refused: 0, failed: 0, exhausted: undefined }
  /** Of this request, and how many were stored behind the first of them. */
  #failed: Failed[] = []
  #storedBehind = 0
  #wasReached = false
  /** The last request reached somebody, and nothing was left for it to do, however long it lasted. */
  #wasIdle = false
  #onRoom: () => void = () => undefined

  constructor(server: Server, lines: AsyncIterator<Line, void>, options: SendOptions) {
    const { chosen, stop } = options
    this.#server = server
    this.#options = options
    this.#undecided = new UndecidedLines(chosen.except)
    this.#input = new ReadAhead(lines, {
      fromLine: chosen.fromLine,
      stop,
      onLine: (line) => this.#take(line),
    })
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
      if (this.#decided > before) waitMs = WAIT_MS_MIN
      if (this.#decided > before || this.#wasIdle) {
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
    return this.#undecided.firstNumber ?? this.#input.nextUnread
  }

  /** The lines behind `nextLine` that are stored or refused, or were never to be sent. */
  get exceptBehind(): LineRange[] {
    return this.#undecided.decidedBehind(this.nextLine ?? Number.POSITIVE_INFINITY)
  }

  /** From the first to the last of the lines that were sent when a connection broke, and not answered. */
  get unanswered(): LineRange | undefined {
    return this.#undecided.unanswered
  }

  get hasDecidedNothing(): boolean {
    return this.#decided === 0
  }

  get #decided(): number {
    return this.sent.created + this.sent.repeated + this.sent.refused
  }

  /** Sends all that is left with one request. What kept it from its end, if anything did. */
  async #request(): Promise<Error | undefined> {
    this.#undecided.beginRequest()
    this.sent.exhausted = undefined
    let isCutOff = false
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
      isCutOff = request.hasConnected && !isRefusal
      if (unreadable !== undefined) throw unreadable
      if (error instanceof CommandFailure) throw error
      return toError(error)
    } finally {
      this.#wasReached ||= request.hasConnected
      this.#options.stop.removeEventListener('abort', leave)
      request.close()
      await writing
      this.#judgeFailures()
      const hasWork = this.#undecided.firstNumber !== undefined || this.#input.hasEnded
      this.#wasIdle = request.hasConnected && !hasWork
      this.#undecided.endRequest({ isCutOff })
    }
  }

  async #write(request: ImportRequest): Promise<void> {
    while (!request.isClosed) {
      const next = this.#undecided.nextToWrite
      // Behind a used up quota nothing is sent but what was sent before: its answer alone tells what became of it.
      if (this.sent.exhausted !== undefined && !this.#undecided.isMaybeStored(next)) {
        return request.end()
      }
      if (next !== undefined) {
        this.#undecided.noteWritten(next)
        await request.write(next.bytes)
      } else if (this.#input.hasEnded) {
        return request.end()
      } else if (this.#undecided.isFull) {
        const room = new Promise<void>((resolve) => {
          this.#onRoom = resolve
        })
        await request.unlessClosed(room)
      } else {
        await request.unlessClosed(this.#input.more())
      }
    }
  }

  #take({ number, bytes }: Line): void {
    if (bytes !== undefined) {
      this.#undecided.add(number, bytes)
      return
    }
    const error = { code: 'PAYLOAD_TOO_LARGE', message: 'The line must have at most 1 MiB.' }
    this.#refuse({ line: number, error })
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
        const { nextToDecide, nextToWrite } = this.#undecided
        if (!this.#undecided.isMaybeStored(nextToDecide)) return undefined
        // Whoever writes may wait for a line of a silent input.
        if (!this.#undecided.isMaybeStored(nextToWrite)) request.end()
      }
    }
    throw new Error('the connection ended')
  }

  #decide(answer: Exclude<Answer, { kind: 'end' }>): void {
    const line = this.#undecided.takeAnswered()
    if (line === undefined) throw new CommandFailure('The server answers what nobody sent.')
    if (answer.kind !== 'refused') {
      this.sent[answer.kind] += 1
      if (this.#failed.length > 0) this.#storedBehind += 1
    } else if (answer.code === 'QUOTA_EXCEEDED') {
      this.sent.exhausted ??= { line: line.number, error: answer.error }
      this.#undecided.putBack(line)
      return
    } else if (isOfTheServer(answer.code)) {
      this.#failed.push({ line, error: answer.error })
      this.#undecided.putBack(line)
      return
    } else {
      this.#refuse({ line: line.number, error: answer.error })
    }
    this.#undecided.decide(line)
  }

  /** Where the server fails at nearly all lines, none of them is to blame: they are sent until it is well. */
  #judgeFailures(): void {
    const failed = this.#failed.splice(0)
    const isOfLines =
      failed.length <= this.#storedBehind || failed.every(({ line }) => line.tries > 0)
    this.#storedBehind = 0
    if (!isOfLines) return
    for (const { line, error } of failed) {
      line.tries += 1
      if (line.tries < TRIES_MAX) continue
      this.#undecided.leaveOut(line)
      this.sent.failed += 1
      this.#refuse({ line: line.number, error })
    }
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
