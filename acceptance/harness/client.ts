/**
 * The client of the cases: one key, one base address, answers as they are. It follows no
 * redirect, retries nothing and throws for no status; every answer under /v1 is shown to
 * `conformance.ts`, so that each case also tests the served document and the universal headers.
 */
import { type Answer, answerOf } from './answer.ts'
import { observe } from './conformance.ts'

interface CallOptions {
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent as it is; the content type is then the caller's affair. */
  readonly raw?: string | Uint8Array<ArrayBuffer>
  readonly headers?: Readonly<Record<string, string>>
}

export class Client {
  readonly url: string
  readonly key: string

  constructor(url: string, key: string) {
    this.url = url
    this.key = key
  }

  get(path: string, options?: CallOptions): Promise<Answer> {
    return this.call('GET', path, options)
  }

  post(path: string, body: unknown, headers: CallOptions['headers'] = {}): Promise<Answer> {
    return this.call('POST', path, { body, headers })
  }

  delete(path: string, options?: CallOptions): Promise<Answer> {
    return this.call('DELETE', path, options)
  }

  async call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const headers = new Headers({ authorization: `Bearer ${this.key}` })
    if (options.body !== undefined) headers.set('content-type', 'application/json')
    for (const [name, value] of Object.entries(options.headers ?? {})) headers.set(name, value)
    const body = options.body === undefined ? options.raw : JSON.stringify(options.body)
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers,
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
    })
    const answer = answerOf(response.status, response.headers, await response.text())
    await observe(this.url, method, path, answer)
    return answer
  }
}
