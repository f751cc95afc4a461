// Makes a create that carries an Idempotency-Key happen once. What is remembered is the record's id
// and time, never its text: the replay brings the same body along, and the answer is made from it.
// decisions/2026-11-21-idempotency.md
import { hash } from 'node:crypto'
import { IDEMPOTENCY_TTL_MS } from '../contract/bounds.ts'
import { ApiError } from '../contract/errors.ts'
import type { OperationId } from '../contract/operations.ts'
import {
  type IdempotencyRecord,
  type IdempotencyStore,
  type Pace,
  StoreError,
} from '../storage/store.ts'
import type { Clock } from './clock.ts'
import type { Identity } from './ids.ts'

export type IdempotentRequest = Pick<IdempotencyRecord, 'keyId' | 'idempotencyKey' | 'fingerprint'>

const REPETITIONS_MAX = 2

export class Idempotency {
  readonly #store: IdempotencyStore
  readonly #clock: Clock
  readonly #running = new Map<string, Promise<unknown>>()

  constructor(store: IdempotencyStore, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  /**
   * Returns the identity of the record that the first such request made, or runs `create`, which
   * has to commit the request with its record. Requests with one key take turns; when another
   * instance commits first, `create` fails as `repeated` and what that one made is returned.
   * Throws IDEMPOTENCY_KEY_REUSED when the key was used with another request.
   */
  async once(
    request: IdempotentRequest,
    create: () => Promise<Identity>,
    pace?: Pace,
  ): Promise<Identity> {
    const name = `${request.keyId} ${request.idempotencyKey}`
    const before = this.#running.get(name) ?? Promise.resolve()
    const turn = before.then(() => this.#takeTurn(request, create, pace))
    // Whoever comes next waits for the end of this turn, whatever its outcome.
    const ended = turn.catch(() => undefined)
    this.#running.set(name, ended)
    try {
      return await turn
    } finally {
      if (this.#running.get(name) === ended) this.#running.delete(name)
    }
  }

  async #takeTurn(
    request: IdempotentRequest,
    create: () => Promise<Identity>,
    pace: Pace,
  ): Promise<Identity> {
    for (let repetitions = 0; ; repetitions += 1) {
      const done = await this.#find(request, pace)
      if (done !== undefined) return done
      try {
        return await create()
      } catch (error) {
        // Another instance was first: what it made is there now. It can run out in between.
        const isRepeated = error instanceof StoreError && error.kind === 'repeated'
        if (!isRepeated || repetitions === REPETITIONS_MAX) throw error
      }
    }
  }

  async #find(
    { keyId, idempotencyKey, fingerprint }: IdempotentRequest,
    pace: Pace,
  ): Promise<Identity | undefined> {
    const oldest = this.#clock.now() - IDEMPOTENCY_TTL_MS
    const done = await this.#store.find(keyId, idempotencyKey, oldest, pace)
    if (done === undefined) return undefined
    if (done.fingerprint !== fingerprint) throw new ApiError('IDEMPOTENCY_KEY_REUSED')
    return { id: done.recordId, createdAt: done.createdAt }
  }

  /** Forgets what is older than a day. */
  async sweep(): Promise<void> {
    await this.#store.expire(this.#clock.now() - IDEMPOTENCY_TTL_MS)
  }
}

/** The same for the same operation and input, whatever the white space of the body was. */
export const fingerprintOf = (operation: OperationId, input: unknown): string =>
  hash('sha256', JSON.stringify([operation, input]), 'base64url')
