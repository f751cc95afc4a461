/**
 * Concurrent callers that write for as long as they are let, whatever becomes of the database: each
 * makes and deletes records of its own over several instances in turn, and notes what was answered.
 * The only refusal that they take is a 503 that says when to come back.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { type Caller, call, type Reply } from '../crash/caller.ts'
import { Random } from '../crash/random.ts'
import type { Entry, Ledger } from './ledger.ts'

const WRITERS = 8
const PAUSE_AFTER_REFUSAL_MS = 30

interface Load {
  /** Resolves when so many more writes were acknowledged; rejects when that takes too long. */
  acknowledges(more: number): Promise<void>
  /** Resolves when every request that is under way has ended. */
  stop(): Promise<void>
}

export function startLoad(
  callers: readonly Caller[],
  ledger: Ledger,
  { seed, patienceMs = 30_000 }: { seed: number; patienceMs?: number },
): Load {
  let goesOn = true
  let failure: unknown
  const writers = Array.from({ length: WRITERS }, (_, index) =>
    new Writer(`s${seed}w${index}`, callers, ledger, () => goesOn)
      .run(new Random(seed * WRITERS + index))
      .catch((error: unknown) => {
        failure ??= error
        goesOn = false
      }),
  )
  const expectHealth = (): void => {
    if (failure !== undefined) throw failure
  }
  return {
    async acknowledges(more) {
      const wanted = ledger.acknowledged + more
      const giveUpAtMs = performance.now() + patienceMs
      while (ledger.acknowledged < wanted) {
        expectHealth()
        if (performance.now() > giveUpAtMs) throw new Error('No write is acknowledged any more.')
        await wait(10)
      }
    },
    async stop() {
      goesOn = false
      await Promise.all(writers)
      expectHealth()
    },
  }
}

class Writer {
  readonly #name: string
  readonly #callers: readonly Caller[]
  readonly #ledger: Ledger
  readonly #goesOn: () => boolean
  #requests = 0

  constructor(name: string, callers: readonly Caller[], ledger: Ledger, goesOn: () => boolean) {
    this.#name = name
    this.#callers = callers
    this.#ledger = ledger
    this.#goesOn = goesOn
  }

  async run(random: Random): Promise<void> {
    const own: Entry[] = []
    for (let count = 0; this.#goesOn(); count += 1) {
      const alive = own.filter(({ expected }) => expected === 'present')
      const doomed = random.below(4) === 0 ? random.pick(alive) : undefined
      if (doomed !== undefined) {
        await this.#remove(doomed)
        continue
      }
      const entry: Entry = {
        kind: random.below(2) === 0 ? 'memories' : 'entities',
        mark: `${this.#name}n${count}`,
        id: undefined,
        expected: 'either',
      }
      own.push(entry)
      this.#ledger.entries.push(entry)
      await this.#create(entry, random.below(2) === 0 ? randomUUID() : undefined)
    }
  }

  /** With an Idempotency-Key until it is answered, by whichever instance. */
  async #create(entry: Entry, idempotencyKey: string | undefined): Promise<void> {
    const { kind, mark } = entry
    const body = kind === 'memories' ? { content: mark, userId: this.#name } : nameOf(mark)
    for (let tries = 0; tries === 0 || this.#goesOn(); tries += 1) {
      const reply = await this.#ask('POST', kind, { body, idempotencyKey })
      if (reply !== undefined) {
        expectStatus(reply, 201, `create ${mark}`)
        entry.id = String(Object(reply.body).id)
        entry.expected = 'present'
        this.#ledger.acknowledgedCreates += 1
        if (tries > 0) this.#ledger.repeated += 1
        return
      }
      if (idempotencyKey === undefined) return
    }
  }

  async #remove(entry: Entry): Promise<void> {
    entry.expected = 'either'
    const reply = await this.#ask('DELETE', `${entry.kind}/${entry.id}`)
    if (reply === undefined) return
    if (reply.status === 404) {
      // Nobody else deletes it: it was lost, and the look at the end will say so.
      entry.expected = 'present'
      return
    }
    expectStatus(reply, 200, `delete ${entry.mark}`)
    entry.expected = 'absent'
    this.#ledger.acknowledgedDeletes += 1
  }

  /** Undefined when nobody knows what became of it. */
  async #ask(...request: ParametersAfterFirst<typeof call>): Promise<Reply | undefined> {
    this.#requests += 1
    const caller = this.#callers[this.#requests % this.#callers.length]
    const reply = caller && (await call(caller, ...request))
    if (reply !== undefined && reply.status !== 503) return reply
    this.#ledger.unanswered += 1
    await wait(PAUSE_AFTER_REFUSAL_MS)
    return undefined
  }
}

type ParametersAfterFirst<Call> = Call extends (first: never, ...rest: infer Rest) => unknown
  ? Rest
  : never

const nameOf = (mark: string) => ({ name: mark, type: 'OTHER' })

function expectStatus({ status, body }: Reply, expected: number, what: string): void {
  if (status !== expected) throw new Error(`${what} answered ${status} ${JSON.stringify(body)}`)
}
