// An import as a client makes it that writes and reads at once, line by line.
import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { createInterface } from 'node:readline'
import { IMPORT_MEDIA_TYPE, IMPORT_PATH } from '../contract/import.ts'

export const memory = (content: string) => ({ content, userId: 'u' })
export const many = (count: number) =>
  Array.from({ length: count }, (_, n) => memory(`memory ${n}`))

/** Of the error that a line of an answer tells; empty when it tells none. */
export const code = (answer: unknown) => String(Object(Object(answer).error).code ?? '')

/** Everything that can still happen by itself has happened. */
export const settled = () => new Promise((resolve) => setTimeout(resolve, 100))

export class ImportConnection {
  readonly #request: ClientRequest
  readonly #answer: Promise<IncomingMessage>
  #lines: AsyncIterator<string> | undefined
  /** Resolves when the connection is no more. */
  readonly closed: Promise<void>

  constructor(address: string, key: string | undefined, headers: Record<string, string> = {}) {
    this.#request = request(`${address}${IMPORT_PATH}`, {
      method: 'POST',
      agent: false,
      headers: {
        'content-type': IMPORT_MEDIA_TYPE,
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...headers,
      },
    })
    // What is broken shows where an answer is waited for.
    this.#request.on('error', () => undefined)
    this.closed = new Promise((resolve) => this.#request.once('close', () => resolve()))
    this.#request.flushHeaders()
    this.#answer = once(this.#request, 'response').then(([message]) => message)
    this.#answer.catch(() => undefined)
  }

  /** Resolves when the server has made room for more. */
  async send(data: string | Uint8Array): Promise<void> {
    if (!this.#request.write(data)) await once(this.#request, 'drain')
  }

  async sendLines(values: unknown[]): Promise<void> {
    for (const value of values) await this.send(`${JSON.stringify(value)}\n`)
  }

  end(): void {
    this.#request.end()
  }

  destroy(): void {
    this.#request.destroy()
  }

  async head(): Promise<{ status: number; headers: IncomingMessage['headers'] }> {
    const { statusCode = 0, headers } = await this.#answer
    return { status: statusCode, headers }
  }

  /** The next line, parsed; undefined at the end. */
  async next(): Promise<unknown> {
    this.#lines ??= createInterface({ input: await this.#answer })[Symbol.asyncIterator]()
    const { value, done } = await this.#lines.next()
    return done ? undefined : JSON.parse(value)
  }

  /** What is left of the answer. */
  async rest(): Promise<unknown[]> {
    const answers: unknown[] = []
    for (;;) {
      const answer = await this.next()
      if (answer === undefined) return answers
      answers.push(answer)
    }
  }
}

/** The whole answer to a whole body. */
export async function importAll(
  address: string,
  key: string,
  body: string | Uint8Array,
): Promise<unknown[]> {
  const connection = new ImportConnection(address, key)
  void connection.send(body)
  connection.end()
  return connection.rest()
}

export const toJsonLines = (values: readonly unknown[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('')
