// Slows down guessing without locking anybody out. Tries of one account, or from one address, get
// turns: after a few failures each turn comes later than the one before, up to some seconds. A try
// counts as a failure from its beginning and is given back when it succeeds, so that a thousand at
// once gain nothing. An address from which somebody signed in keeps turns of its own for that
// account: whoever attacks the account from elsewhere does not delay its owner. A try that was refused
// before any password was compared is given back too.
// decisions/2026-11-21-console-accounts.md
import { LRUCache } from 'lru-cache'
import type { Clock } from '../core/clock.ts'
import { ConsoleError } from './errors.ts'

type Turns = { failures: number; nextAtMs: number; lastAtMs: number }

const FREE_TRIES = { account: 4, address: 12 }
const FIRST_DELAY_MS = 250
const DELAY_MS_MAX = 8_000
/** Whoever would wait longer is told to come back: connections are not held open without end. */
const WAIT_MS_MAX = 24_000
const FORGET_AFTER_MS = 15 * 60 * 1000
/** By size, each being one: by number, the cache would take the room of all of them at once. */
const REMEMBERED = { maxSize: 100_000, sizeCalculation: () => 1 }

export type Wait = (ms: number) => Promise<void>

export class Throttle {
  readonly #clock: Clock
  readonly #wait: Wait
  readonly #turns = new LRUCache<string, Turns>(REMEMBERED)
  readonly #familiar = new LRUCache<string, true>(REMEMBERED)

  constructor(clock: Clock, wait: Wait) {
    this.#clock = clock
    this.#wait = wait
  }

  /**
   * Waits for this try's turn, then runs it, with whether the account signed in from this address before.
   * It says whether it succeeded; one that throws has failed, but for one that finds no room
   * (TOO_MANY_ATTEMPTS). Throws TOO_MANY_ATTEMPTS when the turn is too far away.
   */
  async attempt<Result>(
    { account, address }: { account: string; address: string },
    run: (isFamiliar: boolean) => Promise<{ succeeded: boolean; result: Result }>,
  ): Promise<Result> {
    const pair = `${account} ${address}`
    const isFamiliar = this.#familiar.has(pair)
    const ofAccount = this.#turnsOf(isFamiliar ? `p ${pair}` : `a ${account}`)
    const ofAddress = this.#turnsOf(`i ${address}`)
    const giveBack = await this.#takeTurn([
      { turns: ofAccount, free: FREE_TRIES.account },
      { turns: ofAddress, free: FREE_TRIES.address },
    ])
    const { succeeded, result } = await run(isFamiliar).catch((error: unknown) => {
      if (error instanceof ConsoleError && error.code === 'TOO_MANY_ATTEMPTS') giveBack()
      throw error
    })
    if (succeeded) {
      this.#familiar.set(pair, true)
      // The owner is here: what was tried for this account is forgiven.
      ofAccount.failures = 0
      ofAddress.failures -= 1
    }
    return result
  }

  /** Resolves when the turn has come, with what undoes that it was taken. */
  async #takeTurn(buckets: { turns: Turns; free: number }[]): Promise<() => void> {
    const now = this.#clock.monotonic()
    const atMs = Math.max(now, ...buckets.map(({ turns }) => turns.nextAtMs))
    if (atMs - now > WAIT_MS_MAX) {
      throw new ConsoleError('TOO_MANY_ATTEMPTS', {
        retryAfterSeconds: Math.ceil((atMs - now) / 1000),
      })
    }
    const taken = buckets.map(({ turns, free }) => {
      const beforeMs = turns.nextAtMs
      turns.failures += 1
      turns.lastAtMs = now
      turns.nextAtMs = atMs + delayAfter(turns.failures - free)
      return { turns, beforeMs, afterMs: turns.nextAtMs }
    })
    if (atMs > now) await this.#wait(atMs - now)
    return () => {
      for (const { turns, beforeMs, afterMs } of taken) {
        turns.failures = Math.max(0, turns.failures - 1)
        // Later turns were taken behind this one.
        if (turns.nextAtMs === afterMs) turns.nextAtMs = beforeMs
      }
    }
  }

  #turnsOf(name: string): Turns {
    const now = this.#clock.monotonic()
    const known = this.#turns.get(name)
    if (known && now - known.lastAtMs < FORGET_AFTER_MS) return known
    const fresh = { failures: 0, nextAtMs: 0, lastAtMs: now }
    this.#turns.set(name, fresh)
    return fresh
  }
}

/** Doubles with each failure beyond those that are free. */
const delayAfter = (failures: number): number =>
  failures < 0 ? 0 : Math.min(DELAY_MS_MAX, FIRST_DELAY_MS * 2 ** failures)
