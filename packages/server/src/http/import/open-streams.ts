// Which imports an instance has open: a few for each key and a bounded number in all, the last places kept for
// accounts that have none. When the service stops, none goes on.
// decisions/2026-11-21-bulk-import.md
import { setTimeout as pause } from 'node:timers/promises'
import { ApiError } from '../../contract/errors.ts'
import type { Asker } from '../../turns/fair-queue.ts'

/** More would not be faster: all imports share the model. */
const STREAMS_PER_KEY_MAX = 2
/** Each may hold a line and answers of 1 MiB. */
const STREAMS_MAX = 32
/** Of these, for accounts that have none open: one with many keys does not take the places of all others. */
const LAST_STREAMS = 8
/** What is told to whoever has to wait; nobody knows when an import ends, or when a service is back. */
const RETRY_AFTER_SECONDS = 10
const RETRY_LATER = { 'retry-after': String(RETRY_AFTER_SECONDS) }

/** The asker is an account, or the space of a key that is nobody's. */
type Owner = { keyId: string; asker: Asker }
type OpenStream = Owner & { stop(reason: ApiError): void }

export class OpenStreams {
  readonly #streams = new Map<OpenStream, Promise<void>>()
  readonly #drainMs: number
  #stopped: ApiError | undefined
  /** By then a stop has waited long enough. */
  #giveUpAtMs = Number.POSITIVE_INFINITY

  /** `drainMs`: for what is under way when the service stops. */
  constructor(drainMs: number) {
    this.#drainMs = drainMs
  }

  get size(): number {
    return this.#streams.size
  }

  /** Throws RATE_LIMIT_EXCEEDED or SERVICE_UNAVAILABLE when this one may not open another. */
  expectRoom({ keyId, asker }: Owner): void {
    if (this.#stopped !== undefined) throw this.#stopped
    const streams = [...this.#streams.keys()]
    const ofKey = streams.filter((stream) => stream.keyId === keyId)
    if (ofKey.length >= STREAMS_PER_KEY_MAX) {
      throw new ApiError('RATE_LIMIT_EXCEEDED', {
        message: `A key can have ${STREAMS_PER_KEY_MAX} imports open at once. Wait for the end of one.`,
        fields: { retryAfter: RETRY_AFTER_SECONDS },
        headers: RETRY_LATER,
      })
    }
    const hasOne = streams.some((stream) => stream.asker === asker)
    if (streams.length < STREAMS_MAX - (hasOne ? LAST_STREAMS : 0)) return
    throw new ApiError('SERVICE_UNAVAILABLE', {
      message: 'Too many imports are open. Try again in a moment.',
      headers: RETRY_LATER,
    })
  }

  /** Returns what has to be called at its end. */
  add(stream: OpenStream): () => void {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#streams.set(stream, promise)
    return () => {
      this.#streams.delete(stream)
      resolve()
    }
  }

  stopAll(): void {
    this.#giveUpAtMs = performance.now() + this.#drainMs
    this.#stopped = new ApiError('SERVICE_UNAVAILABLE', {
      message: 'The service is stopping. Go on in a moment.',
      headers: RETRY_LATER,
    })
    for (const stream of this.#streams.keys()) stream.stop(this.#stopped)
  }

  /**
   * After `stopAll`. What is not done in time was answered to nobody: the model, which closes shortly before,
   * refuses what it has not begun.
   */
  async allEnded(): Promise<void> {
    const leftMs = Math.max(0, this.#giveUpAtMs - performance.now())
    const ended = Promise.all(this.#streams.values())
    await Promise.race([ended, pause(leftMs, undefined, { ref: false })])
  }
}
