// A server of a test that answers as it is told, one step a request, and a client of it that notes its waits
// instead of waiting.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { listenDuringTest } from '../../../server/src/testing/listen-during-test.ts'
import { Memories } from '../memories.ts'
import { sender } from '../send.ts'

export const KEY = 'mng_keyOfTheTest'

export type Step = (response: ServerResponse, request: IncomingMessage) => void

/** Answers with a body as it is. */
export const answer =
  (status: number, body: unknown, headers: Record<string, string> = {}): Step =>
  (response) =>
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body))

/** Answers with an error as the service does. */
export const refusal = (
  status: number,
  {
    code = 'ANY_CODE',
    headers = {},
    ...fields
  }: Record<string, unknown> & {
    code?: string
    headers?: Record<string, string>
  } = {},
): Step => answer(status, { error: { code, message: 'No.', ...fields } }, headers)

const pagination = { page: 1, limit: 20, total: 0, totalPages: 0 }
export const success = answer(200, { id: 'mem_1', items: [], pagination, results: [] })

/** Hangs up instead of answering. */
export const lost: Step = (response) => response.destroy()

/** Begins to answer, and hangs up. */
export const cut: Step = (response) => {
  response.writeHead(200, { 'content-length': '100' })
  response.write('{"id": ', () => response.destroy())
}

type Asked = {
  method: string | undefined
  url: string | undefined
  headers: IncomingMessage['headers']
  body: string
}

type Settings = Partial<
  Pick<Parameters<typeof sender>[0], 'timeoutMs' | 'retries' | 'random' | 'wait' | 'fetch'>
>

/** After the last step everything is answered with a success. */
export async function scriptedService(steps: readonly Step[], settings: Settings = {}) {
  const asked: Asked[] = []
  const waits: number[] = []
  const left = [...steps]
  let connections = 0
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request
    const step = left.shift() ?? success
    asked.push({ method, url, headers, body: await text(request) })
    step(response, request)
  })
  server.on('connection', () => {
    connections += 1
  })
  const baseUrl = `http://127.0.0.1:${await listenDuringTest(server)}`
  const send = sender({
    apiKey: KEY,
    baseUrl,
    fetch,
    timeoutMs: 60_000,
    retries: 2,
    random: () => 0,
    wait: async (ms) => {
      waits.push(ms)
    },
    ...settings,
  })
  const memories = new Memories(send)
  return { memories, asked, waits, baseUrl, connections: () => connections }
}

/** How a call that must fail did. */
export const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => {
      throw new Error('It has succeeded.')
    },
    (error: unknown) => error,
  )
