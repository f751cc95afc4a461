// A browser's side of the console's interface: keeps the cookie, and says where it comes from.
import { type Answer, apiClient, type Request } from './api-client.ts'
import type { TestService } from './running-service.ts'

export const PASSWORD = 'correct horse battery'

export class ConsoleClient {
  readonly address: string
  cookie: string | undefined
  /** What the server last said about it, attributes included. */
  setCookie: string | undefined
  readonly #extra: Record<string, string>

  /** `extra` headers go with every request, such as those that a proxy adds. */
  constructor(address: string, extra: Record<string, string> = {}) {
    this.address = address
    this.#extra = extra
  }

  get(path: string, request: Request = {}): Promise<Answer> {
    return this.#call('GET', path, request)
  }

  post(path: string, json: unknown = {}, request: Request = {}): Promise<Answer> {
    const headers = { origin: this.address, 'sec-fetch-site': 'same-origin', ...request.headers }
    return this.#call('POST', path, { json, ...request, headers })
  }

  async #call(method: string, path: string, request: Request): Promise<Answer> {
    const headers = {
      ...(this.cookie === undefined ? {} : { cookie: this.cookie }),
      ...this.#extra,
      ...request.headers,
    }
    const answer = await apiClient(this.address)(method, `/console/api${path}`, {
      ...request,
      headers,
    })
    const set = answer.headers.get('set-cookie')
    if (set !== null) {
      this.setCookie = set
      const pair = set.split(';')[0] ?? ''
      this.cookie = pair.endsWith('=') ? undefined : pair
    }
    return answer
  }
}

/** The administrator of a service that has no account yet, signed in. */
export async function setUpConsole(
  service: TestService,
  email = 'admin@example.com',
): Promise<ConsoleClient> {
  const link = await service.console.links.setUp()
  const client = new ConsoleClient(service.address)
  const answer = await client.post('/links/use', { token: link?.token, email, password: PASSWORD })
  if (answer.status !== 201) throw new Error(`Set-up was refused: ${answer.text}`)
  return client
}

/** A member, invited and signed in. */
export async function joinConsole(
  service: TestService,
  email: string,
  { password = PASSWORD } = {},
): Promise<ConsoleClient> {
  const link = await service.console.links.invite(email)
  const client = new ConsoleClient(service.address)
  const answer = await client.post('/links/use', { token: link?.token, password })
  if (answer.status !== 201) throw new Error(`The invitation was refused: ${answer.text}`)
  return client
}
