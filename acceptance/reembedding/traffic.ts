/**
 * Callers that create, search and delete without a break, and hold every answer to what they know:
 * each memory is found first by a query that shares no word with it, from its create to its delete.
 * Any other answer, an error included, is a violation.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { Type } from 'typebox'
import { type Caller, callRunning } from '../crash/caller.ts'
import type { Random } from '../crash/random.ts'
import { read } from '../harness/read.ts'
import { synonymOf, wordOf } from './word-models.ts'

const Created = Type.Object({ id: Type.String() }, { additionalProperties: true })
const Results = Type.Object({ results: Type.Array(Created) })

type Known = { readonly id: string; readonly word: string }

/** Slower than a re-embedding, so that it can catch up. */
const PAUSE_MS = 50

export class Traffic {
  readonly violations: string[] = []
  /** Acknowledged and not deleted. */
  readonly present = new Map<string, Known>()
  readonly deleted: Known[] = []
  /** How many memories were created. */
  created = 0
  #isStopped = false
  readonly #caller: Caller
  readonly #random: Random

  constructor(caller: Caller, random: Random) {
    this.#caller = caller
    this.#random = random
  }

  async create(): Promise<void> {
    const word = wordOf(this.created++)
    const body = { content: word, userId: 'traffic' }
    const reply = await callRunning(this.#caller, 'POST', 'memories', { body })
    if (!this.#expect(reply.status === 201, `create answered ${reply.status}`)) return
    const known = { id: read(Created, reply.body).id, word }
    this.present.set(known.id, known)
    await this.find(known)
  }

  async find({ id, word }: Known): Promise<void> {
    const first = await this.#first(word)
    // Another caller may have deleted it meanwhile.
    if (this.present.has(id)) this.#expect(first === id, `${word} is not found first`)
  }

  async findDeleted({ id, word }: Known): Promise<void> {
    this.#expect((await this.#first(word)) !== id, `${word} is found after its deletion`)
    const { status } = await callRunning(this.#caller, 'GET', `memories/${id}`)
    this.#expect(status === 404, `${word}, deleted, is answered with ${status}`)
  }

  async findAll(): Promise<void> {
    await Promise.all([...this.present.values()].map((known) => this.find(known)))
    await Promise.all(this.deleted.map((known) => this.findDeleted(known)))
  }

  async remove(known: Known): Promise<void> {
    if (!this.present.delete(known.id)) return
    const { status } = await callRunning(this.#caller, 'DELETE', `memories/${known.id}`)
    this.#expect(status === 200, `delete answered ${status}`)
    this.deleted.push(known)
    await this.findDeleted(known)
  }

  /** Starts callers that go on until `stop`. */
  run(callers: number): { stop: () => Promise<void> } {
    const running = Array.from({ length: callers }, () => this.#goOn())
    return {
      stop: async () => {
        this.#isStopped = true
        await Promise.all(running)
      },
    }
  }

  async #goOn(): Promise<void> {
    while (!this.#isStopped) {
      await wait(PAUSE_MS)
      await this.create()
      const known = this.#random.pick([...this.present.values()])
      if (known !== undefined) await this.find(known)
      const doomed = this.#random.pick([...this.present.values()])
      if (doomed !== undefined && this.#random.below(3) === 0) await this.remove(doomed)
    }
  }

  async #first(word: string): Promise<string | undefined> {
    const body = { query: synonymOf(word), threshold: 0, limit: 1 }
    const reply = await callRunning(this.#caller, 'POST', 'memories/search', { body })
    if (!this.#expect(reply.status === 200, `search answered ${reply.status}`)) return undefined
    return read(Results, reply.body).results[0]?.id
  }

  #expect(holds: boolean, violation: string): boolean {
    if (!holds) this.violations.push(violation)
    return holds
  }
}
