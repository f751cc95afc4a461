// Which imports an instance has open: a few for a key, a bounded number in all, and none that goes on
// when the service stops.
import { setTimeout as pause } from 'node:timers/promises'
import { ApiError } from '../../contract/errors.ts'

/** More would not be faster: all imports share the model. */
const STREAMS_PER_KEY_MAX = 2
/** Each may hold a line and answers of 1 MiB. */
const STREAMS_MAX = 32
/** What is told to whoever has to wait; nobody knows when an import ends, or when a service is back. */
const RETRY_AFTER_SECONDS = 10
const RETRY_LATER = { 'retry-after': String(RETRY_AFTER_SECONDS) }

type OpenStream = { keyId: string; stop(reason: ApiError): void }

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

  /** Throws RATE_LIMIT_EXCEEDED or SERVICE_UNAVAILABLE when the key may not open another one. */
  expectRoom(keyId: string): void {
    if (this.#stopped !== undefined) throw this.#stopped
    const ofKey = [...this.#streams.keys()].filter((stream) => stream.keyId === keyId)
    if (ofKey.length >= STREAMS_PER_KEY_MAX) {
      throw new ApiError('RATE_LIMIT_EXCEEDED', {
        message: `A key can have ${STREAMS_PER_KEY_MAX} imports open at once. Wait for the end of one.`,
        fields: { retryAfter: RETRY_AFTER_SECONDS },
        headers: RETRY_LATER,
      })
    }
    if (this.#streams.size < STREAMS_MAX) return
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
