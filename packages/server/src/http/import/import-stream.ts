// One import: lines in, answers out. Each line goes the way of an ordinary create (admitted, validated,
// charged, embedded, committed), with others beside it; an answer is given when its line is on the
// disk or refused, in the order of the lines. A line that is wrong is refused alone. What fails on our
// side, or a key that was revoked, stops the stream: nothing more is begun, what was begun is answered,
// and the summary says where to go on.
// decisions/2026-11-21-bulk-import.md
import type { IncomingMessage } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import { BODY_BYTES_MAX } from '../../contract/bounds.ts'
import { ApiError } from '../../contract/errors.ts'
import type { ImportSummary, LineAnswer } from '../../contract/import.ts'
import { errorKind, IMPORTED_KIND } from '../../contract/statistics.ts'
import { createOnce } from '../../core/create-once.ts'
import type { Service } from '../../core/service.ts'
import type { ReadingTurn } from '../body/reading-turns.ts'
import { isBlank, splitLines } from '../body/split-lines.ts'
import { toApiError } from '../error-handler.ts'
import { logFailure } from '../failure-log.ts'
import { bodyChunks } from './body-chunks.ts'
import { inOrder, type Task } from './in-order.ts'
import { type MemoryLine, readMemoryLine } from './memory-line.ts'
import type { Room } from './room.ts'

/** Of one stream, begun and not answered yet. */
export const LINES_UNDER_WAY_MAX = 256

/**
 * A stream of which more lines were refused and none was taken is ended: nobody sends that for a purpose, and
 * refusing costs time that nobody is charged for.
 */
const REFUSED_ALONE_MAX = 10_000

type Outcome = 'created' | 'repeated' | 'refused'

type ImportOptions = {
  service: Service
  /** Looked at anew with every line. */
  key: string
  keyId: string
  body: IncomingMessage
  room: Room
  turn: ReadingTurn
  silenceMsMax: number
  log: FastifyBaseLogger
  onOutcome: (outcome: Outcome) => void
}

export class ImportStream {
  readonly #options: ImportOptions
  readonly #counts: Record<Outcome, number> = { created: 0, repeated: 0, refused: 0 }
  readonly #stopping = new AbortController()
  #stopped: ApiError | undefined
  #isWhole = false
  #lastLine = 0
  /** The first line that failed without being at fault. */
  #failedLine = Number.POSITIVE_INFINITY

  constructor(options: ImportOptions) {
    this.#options = options
  }

  /** Begins no further line. The first reason is the one that is told. */
  stop(reason: ApiError): void {
    if (this.#stopped !== undefined) return
    this.#stopped = reason
    this.#stopping.abort()
    logFailure(this.#options.log, reason)
  }

  /** JSON lines. What was begun is finished also when nobody takes them any more. */
  async *answers(): AsyncGenerator<string, void> {
    for await (const answers of inOrder(this.#tasks(), LINES_UNDER_WAY_MAX)) {
      yield toLines(answers)
    }
    yield toLines([this.#summary()])
  }

  async *#tasks(): AsyncGenerator<Task<LineAnswer>, void> {
    const { body, room, turn, silenceMsMax } = this.#options
    const { signal } = this.#stopping
    const onBroken = (reason: ApiError): void => this.stop(reason)
    const chunks = bodyChunks(body, { signal, silenceMsMax, onBroken })
    for await (const { number, bytes } of splitLines(chunks, BODY_BYTES_MAX)) {
      // What is refused at once, or blank, costs no waiting: others would have none either.
      if (!turn.lasts()) await turn.next()
      if (signal.aborted) return
      const read = bytes !== undefined && isBlank(bytes) ? undefined : this.#read(number, bytes)
      turn.spend(bytes?.length ?? 0)
      if (read === undefined) continue
      if ('line' in read) {
        yield async () => read
      } else {
        const giveBack = await room.take(read.memory.content, signal)
        if (giveBack === undefined) return
        yield () => this.#create(number, read).finally(giveBack)
      }
      this.#lastLine = number
    }
    this.#isWhole = !signal.aborted
  }

  #read(line: number, bytes: Buffer | undefined): MemoryLine | LineAnswer {
    try {
      return readMemoryLine(bytes)
    } catch (error) {
      return this.#refuse(line, error)
    }
  }

  async #create(line: number, { memory, idempotencyKey }: MemoryLine): Promise<LineAnswer> {
    const { service, key, keyId } = this.#options
    try {
      const admitted = await service.admission.admit(key, 'import')
      service.usageJournal.note(admitted.meter.keyMonth, 0)
      const { identity, isRepeated } = await createOnce(service, admitted, {
        operation: 'memories.create',
        prefix: 'mem',
        input: memory,
        idempotencyKey,
        pace: 'bulk',
        create: (space, stamp) => service.memories.create(space, memory, stamp, 'bulk'),
      })
      if (!isRepeated) service.usageJournal.count(keyId, IMPORTED_KIND)
      this.#count(isRepeated ? 'repeated' : 'created')
      return { line, id: identity.id, ...(isRepeated ? { repeated: true } : {}) }
    } catch (error) {
      return this.#refuse(line, error)
    }
  }

  #refuse(line: number, error: unknown): LineAnswer {
    const reason = toApiError(error)
    this.#options.service.usageJournal.count(this.#options.keyId, errorKind(reason.code))
    this.#count('refused')
    if (reason.status >= 500 || reason.status === 401) {
      this.#failedLine = Math.min(this.#failedLine, line)
      this.stop(reason)
    }
    if (this.#hasOnlyRefusals()) this.stop(onlyRefusals())
    return { line, ...reason.body() }
  }

  #hasOnlyRefusals(): boolean {
    const { created, repeated, refused } = this.#counts
    return refused > REFUSED_ALONE_MAX && created + repeated === 0
  }

  #count(outcome: Outcome): void {
    this.#counts[outcome] += 1
    this.#options.onOutcome(outcome)
  }

  #summary(): ImportSummary {
    const counts = { ...this.#counts }
    const nextLine = Math.min(this.#failedLine, this.#lastLine + 1)
    const isCut = !this.#isWhole || nextLine <= this.#lastLine
    if (this.#stopped === undefined || !isCut) return { summary: counts }
    return { summary: { ...counts, stopped: this.#stopped.body().error, nextLine } }
  }
}

const onlyRefusals = (): ApiError =>
  new ApiError('VALIDATION_ERROR', {
    message:
      `More than ${REFUSED_ALONE_MAX.toLocaleString('en')} lines were refused and none was taken, so the ` +
      'import was ended. See what was said of them.',
  })

const toLines = (answers: readonly (LineAnswer | ImportSummary)[]): string =>
  answers.map((answer) => `${JSON.stringify(answer)}\n`).join('')
