// The client: one key at one address. What is wrong with either is said when it is made, and neither the
// object nor anything that can be reached from it shows the key.
import { Entities } from './entities.ts'
import { expectNames, expectObject, type Names } from './given.ts'
import { Memories } from './memories.ts'
import type { Fetch } from './one-try.ts'
import { type Bounds, headerText, readBaseUrl, readBounds } from './options.ts'
import { Relations } from './relations.ts'
import { sender } from './send.ts'
import { wait } from './wait.ts'

export type MnemographOptions = Partial<Bounds> & {
  /** May be undefined, as a variable of an environment may, and is refused then. */
  apiKey: string | undefined
  /** Without it http://127.0.0.1:8080. */
  baseUrl?: string | undefined
  /** In place of the platform's, for instance one that looks at the headers of each answer. */
  fetch?: Fetch
}

const OPTIONS: Names<MnemographOptions> = {
  apiKey: true,
  baseUrl: true,
  fetch: true,
  timeoutMs: true,
  retries: true,
}
const KEY_LENGTH_MAX = 4096

export class Mnemograph {
  readonly memories: Memories
  readonly entities: Entities
  readonly relations: Relations

  /** Throws a TypeError without a key, and for an option that makes no sense. */
  constructor(options: MnemographOptions) {
    expectObject('options', options, ['apiKey'])
    expectNames('options', options, OPTIONS)
    const { apiKey, baseUrl = 'http://127.0.0.1:8080', fetch } = options
    if (apiKey === undefined) {
      throw new TypeError('apiKey is undefined. Is the variable set that it comes from?')
    }
    if (fetch && typeof fetch !== 'function') throw new TypeError('fetch must be a function.')
    const send = sender({
      apiKey: headerText('apiKey', apiKey, KEY_LENGTH_MAX),
      baseUrl: readBaseUrl(baseUrl),
      fetch: fetch ?? ((url, request) => globalThis.fetch(url, request)),
      ...readBounds(options),
      wait,
      random: Math.random,
    })
    this.memories = new Memories(send)
    this.entities = new Entities(send)
    this.relations = new Relations(send)
  }
}
