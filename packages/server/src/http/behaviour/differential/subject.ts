// One of the services that are compared. It runs the steps of a trace with the ids that it gave, and
// shows its answers in a form that another service's can be held against, byte by byte: ids become
// numbers in the order in which a lane sees them, and what differs in every answer is left out.
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import type { TestService } from '../../../testing/running-service.ts'
import type { Step } from './trace.ts'

/** What was not made has the id of nothing. */
const NOTHING = 'none'
const ID = /\b(?:mem|ent|rel|key)_[0-9A-Za-z]{25}\b/g
/** Of the connection, or of this one answer. */
const NEVER_EQUAL = new Set(['date', 'connection', 'keep-alive', 'x-request-id'])

export type Shown = { status: number; text: string }

export class Subject {
  readonly #service: TestService
  readonly #agent = new Agent({ keepAlive: true })
  /** Ids by the names that the trace has for them. */
  readonly #made = new Map<string, string>()
  readonly #seen = new Map<number, Map<string, string>>()

  constructor(service: TestService) {
    this.#service = service
  }

  /** One after the other. */
  async run(lane: number, key: string, steps: readonly Step[]): Promise<Shown[]> {
    const shown: Shown[] = []
    for (const step of steps) shown.push(await this.#perform(lane, key, step))
    return shown
  }

  close(): void {
    this.#agent.destroy()
  }

  async #perform(lane: number, key: string, step: Step): Promise<Shown> {
    const { method, makes } = step
    const sent = request(`${this.#service.address}${this.#withIds(step.path)}`, {
      agent: this.#agent,
      method,
      headers: { authorization: `Bearer ${key}`, ...step.headers },
    })
    sent.end(step.body === undefined ? undefined : this.#withIds(step.body))
    const [answer]: IncomingMessage[] = await once(sent, 'response')
    if (answer === undefined) throw new Error('No answer')
    const text = await textOf(answer)
    const { statusCode: status = 0 } = answer
    if (makes !== undefined && status === 201) this.#made.set(makes, Object(JSON.parse(text)).id)
    const headers = Object.entries(answer.headers)
      .filter(([name]) => !NEVER_EQUAL.has(name))
      .map(([name, value]) => `${name}: ${value}`)
      .toSorted()
    return { status, text: this.#masked(lane, [status, ...headers, '', text].join('\n')) }
  }

  #withIds(text: string): string {
    return text.replaceAll(
      /(?:\{|%7B)(\w+)(?: |\+)(\d+)(?: |\+)(-?\d+)(?:\}|%7D)/g,
      (_, ...name) => this.#made.get(`{${name.slice(0, 3).join(' ')}}`) ?? NOTHING,
    )
  }

  #masked(lane: number, text: string): string {
    const seen = this.#seen.get(lane) ?? new Map<string, string>()
    this.#seen.set(lane, seen)
    return text.replaceAll(ID, (id) => {
      const mask = seen.get(id) ?? `${id.slice(0, 3)}_#${seen.size}`
      seen.set(id, mask)
      return mask
    })
  }
}
