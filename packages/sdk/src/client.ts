// The client: one key at one address. What is wrong with either is said when it is made, and neither the
// object nor anything that can be reached from it shows the key.
import { Entities } from './entities.ts'
import { MnemographError } from './errors.ts'
import { Memories } from './memories.ts'
import type { Fetch } from './one-try.ts'
import { type Bounds, headerText, readBaseUrl, readBounds } from './options.ts'
import { Relations } from './relations.ts'
import { sender } from './send.ts'
import { wait } from './wait.ts'

export type MnemographOptions = Partial<Bounds> & {
  /** Without it that of MNEMOGRAPH_API_KEY, where there is an environment. */
  apiKey?: string | undefined
  /** Without it that of MNEMOGRAPH_URL, else http://127.0.0.1:8080. */
  baseUrl?: string | undefined
  /** In place of the platform's, for instance one that looks at the headers of each answer. */
  fetch?: Fetch
}

const KEY_LENGTH_MAX = 4096

// Browsers and some edge runtimes have none.
declare const process: { env?: Readonly<Record<string, string | undefined>> } | undefined

const environment = (name: string): string | undefined =>
  typeof process === 'undefined' ? undefined : process.env?.[name] || undefined

export class Mnemograph {
  readonly memories: Memories
  readonly entities: Entities
  readonly relations: Relations

  /** Throws a MnemographError without a key, and a TypeError for an option that makes no sense. */
  constructor(options: MnemographOptions = {}) {
    const apiKey = options.apiKey ?? environment('MNEMOGRAPH_API_KEY')
    if (apiKey === undefined) {
      throw new MnemographError('There is no API key: pass apiKey, or set MNEMOGRAPH_API_KEY.')
    }
    const baseUrl = options.baseUrl ?? environment('MNEMOGRAPH_URL') ?? 'http://127.0.0.1:8080'
    const send = sender({
      apiKey: headerText('apiKey', apiKey, KEY_LENGTH_MAX),
      baseUrl: readBaseUrl(baseUrl),
      fetch: options.fetch ?? ((url, request) => globalThis.fetch(url, request)),
      ...readBounds(options),
      wait,
      random: Math.random,
    })
    this.memories = new Memories(send)
    this.entities = new Entities(send)
    this.relations = new Relations(send)
  }
}
