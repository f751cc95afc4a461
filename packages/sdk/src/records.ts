// What can be done with records of every kind: one method for each operation of the service, under its name,
// and `all`, which reads page after page.
import { pathOf, queryOf } from './address.ts'
import type { KnownErrorCode } from './errors.ts'
import { everyItem } from './every-item.ts'
import { expectNames, expectObject, type Names } from './given.ts'
import type { Page, PageRequest } from './page.ts'
import { randomKey } from './random-key.ts'
import {
  CREATE_OPTIONS,
  type CreateOptions,
  REQUEST_OPTIONS,
  type RequestOptions,
  type Send,
} from './send.ts'

/** The most that the service puts on one page; each page may count as an operation. */
const LARGEST_PAGE = 100

/** The types of one kind of record. */
export type Kind = {
  new: object
  created: object
  record: object
  item: { id: string; createdAt: string }
  filter: object
}

export type Description<Of extends Kind> = {
  path: string
  /** The code that says that there is no such record. */
  gone: KnownErrorCode
  /** What a record must have. */
  required: readonly (keyof Of['new'] & string)[]
  filters: Names<Of['filter']>
}

export type Deleted = { success: true; id: string }

/** Every method rejects with a MnemographError, a TypeError for what cannot be sent, or a signal's reason. */
export class Records<Of extends Kind> {
  readonly #send: Send
  readonly #path: string
  readonly #gone: KnownErrorCode
  readonly #required: readonly string[]
  readonly #filters: object

  constructor(send: Send, { path, gone, required, filters }: Description<Of>) {
    this.#send = send
    this.#path = path
    this.#gone = gone
    this.#required = required
    this.#filters = filters
  }

  /** Makes one record, however often it has to be tried. */
  async create(record: Of['new'], options: CreateOptions = {}): Promise<Of['created']> {
    expectObject('record', record, this.#required)
    expectNames('options', options, CREATE_OPTIONS)
    const { idempotencyKey = randomKey(), ...others } = options
    const request = { method: 'POST', path: this.#path, body: record, idempotencyKey } as const
    return this.#send({ ...request, landmark: 'id' }, others)
  }

  /** One page, newest first. */
  async list(
    query: Of['filter'] & PageRequest = {},
    options: RequestOptions = {},
  ): Promise<Page<Of['item']>> {
    expectNames('query', query, { ...this.#filters, page: true, limit: true })
    const path = `${this.#path}${queryOf(query)}`
    return this.#send({ method: 'GET', path, landmark: 'items' }, options)
  }

  /**
   * The records of all pages, newest first and none twice, without those that are made meanwhile. They may be
   * deleted while they are read: docs/sdk.md says what holds then. `limit` is the size of a page, 100 without
   * it, and the options are those of each page's request.
   */
  all(
    query: Of['filter'] & Pick<PageRequest, 'limit'> = {},
    options: RequestOptions = {},
  ): AsyncGenerator<Of['item'], void, undefined> {
    expectNames('query', query, { ...this.#filters, limit: true })
    expectNames('options', options, REQUEST_OPTIONS)
    const { limit = LARGEST_PAGE, ...filter } = query
    return everyItem((page) => this.list({ ...filter, page, limit }, options), options.signal)
  }

  async get(id: string, options: RequestOptions = {}): Promise<Of['record']> {
    const path = pathOf(this.#path, id)
    return this.#send({ method: 'GET', path, landmark: 'id' }, options)
  }

  /** For good. */
  async delete(id: string, options: RequestOptions = {}): Promise<Deleted> {
    const path = pathOf(this.#path, id)
    const gone = { code: this.#gone, answer: { success: true, id } as const }
    return this.#send<Deleted>({ method: 'DELETE', path, landmark: 'id', gone }, options)
  }
}
