// The connections of an instance to PostgreSQL. Whoever asks for much waits in a line of its own, and the lines
// take turns: in one line for all, a caller with a thousand writes under way would make everybody wait for
// them, and `/readyz` too. Every wait has an end: for a turn, and for a connection to come about.
// decisions/2026-11-28-callers-take-turns.md
import pg, { type PoolClient } from 'pg'
import type { Asker } from '../../../turns/fair-queue.ts'
import { FairSlots } from '../../../turns/fair-slots.ts'
import { StoreError, StoreOverloaded } from '../../store.ts'
import { connectionConfig, type Role, sessionSql, type Timeouts } from './connection.ts'

type ConnectionsOptions = { url: string; role: Role; connectionsMax: number; timeouts: Timeouts }

export class Connections {
  readonly #pool: pg.Pool
  readonly #turns: FairSlots
  readonly #patience: { waitMsMax: number; refusal: () => Error }
  #closing: Promise<void> | undefined

  constructor({ url, role, connectionsMax, timeouts }: ConnectionsOptions) {
    this.#turns = new FairSlots(connectionsMax)
    this.#patience = {
      waitMsMax: timeouts.connectMs,
      refusal: () => new StoreOverloaded('Others have all connections to the database.'),
    }
    this.#pool = new pg.Pool({
      ...connectionConfig(url, timeouts),
      max: connectionsMax,
      // The pool waits for it before it hands out the connection for the first time.
      onConnect: async (client) => {
        await client.query(
          `SET ROLE ${role}; SET plan_cache_mode = force_generic_plan; ${sessionSql(timeouts)}`,
        )
      },
    })
    // A connection that ends while nobody uses it is replaced; whoever asks next hears of trouble.
    this.#pool.on('error', () => undefined)
    // The pool listens only while a connection is idle. One that ends in use tells so to its
    // statements, and must not end the process as well.
    this.#pool.on('connect', (client) => client.on('error', () => undefined))
  }

  /**
   * `asker`: a space, a key by its hash or id, or the name of a statement. Rejects as `unavailable`. What it
   * resolves with has to be given back.
   */
  async take(asker: Asker): Promise<PoolClient> {
    await this.#turns.take(asker, this.#patience)
    try {
      return await this.#pool.connect()
    } catch (error) {
      this.#turns.end()
      // Whatever the reason (a name that is not resolved, a password that was changed), nothing was sent, and
      // later it may work.
      throw new StoreError('unavailable', error)
    }
  }

  /** `isUnknown`: nobody knows what state it is in, so it is ended. */
  giveBack(client: PoolClient, { isUnknown = false } = {}): void {
    client.release(isUnknown)
    this.#turns.end()
  }

  /** Resolves when what is under way has ended; whatever is asked later is refused as unavailable. */
  close(): Promise<void> {
    this.#closing ??= this.#pool.end()
    return this.#closing
  }
}
