/**
 * Requests byte by byte over a socket, for what an HTTP client cannot or will not send: broken
 * request lines, two Authorization headers, no Host, undecodable paths, headers without an end.
 * A socket can also leave from another loopback address, which the server counts as another
 * caller: so a case that fails authentication spends nobody else's failures.
 */
import { randomInt } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { type Answer, answerOf } from './answer.ts'

interface WireOptions {
  /** The loopback address to send from; the system's choice when left out. */
  readonly from?: string
  /** How long to wait for the server to finish its answer. */
  readonly timeoutMs?: number
}

export type HeaderLines = readonly (readonly [name: string, value: string])[]

/** True where any address of 127.0.0.0/8 can be bound, as on Linux. */
export function hasLoopbackRange(url: string): boolean {
  return process.platform === 'linux' && new URL(url).hostname === '127.0.0.1'
}

/** An address that nobody has used in this run. */
export function freshAddress(): string {
  return `127.${randomInt(1, 255)}.${randomInt(1, 255)}.${randomInt(1, 255)}`
}

/** A request with the given header lines, exactly once each and in this order. */
export function requestText(
  method: string,
  path: string,
  headers: HeaderLines,
  body: string = '',
): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}

/** The header lines of an ordinary request with a key, for requestText. */
export function ordinaryHeaders(url: string, key: string): [string, string][] {
  return [
    ['Host', new URL(url).host],
    ['Authorization', `Bearer ${key}`],
    ['Connection', 'close'],
  ]
}

/** Sends the bytes and resolves with the first answer. */
export async function exchange(
  url: string,
  bytes: string | Uint8Array,
  options: WireOptions = {},
): Promise<Answer> {
  const { timeoutMs = 10_000, from } = options
  const { hostname, port } = new URL(url)
  const address = from === undefined ? {} : { localAddress: from }
  const socket = connect({ host: hostname, port: Number(port), ...address })
  socket.once('connect', () => socket.write(bytes))
  const received = await receive(socket, timeoutMs)
  const answer = parseAnswer(received)
  if (answer === undefined) {
    throw new Error(`No complete answer came: ${JSON.stringify(received.toString('latin1'))}`)
  }
  return answer
}

/** Collects until the answer is complete, the peer is done, or the time is over. */
function receive(socket: Socket, timeoutMs: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0)
    const finish = () => {
      clearTimeout(timer)
      socket.destroy()
      resolve(received)
    }
    const timer = setTimeout(finish, timeoutMs)
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk])
      if (parseAnswer(received) !== undefined) finish()
    })
    socket.once('end', finish)
    socket.once('error', (error) => {
      // A reset after the answer has come is the server hanging up on a bad request.
      if (received.length > 0) finish()
      else {
        clearTimeout(timer)
        reject(error)
      }
    })
  })
}

function parseAnswer(received: Buffer): Answer | undefined {
  const end = received.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [statusLine = '', ...lines] = received.subarray(0, end).toString('latin1').split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(statusLine)?.[1])
  const headers = new Headers()
  for (const line of lines) {
    const colon = line.indexOf(':')
    headers.append(line.slice(0, colon), line.slice(colon + 1).trim())
  }
  const text = bodyText(headers, received.subarray(end + 4))
  return text === undefined ? undefined : answerOf(status, headers, text)
}

/** The body's text, undefined while bytes are missing; a body without a length is taken as empty. */
function bodyText(headers: Headers, rest: Buffer): string | undefined {
  if (headers.get('transfer-encoding') === 'chunked') return chunkedText(rest)
  const length = Number(headers.get('content-length') ?? 0)
  return rest.length < length ? undefined : rest.subarray(0, length).toString('utf8')
}

function chunkedText(rest: Buffer): string | undefined {
  const chunks: Buffer[] = []
  let position = 0
  for (;;) {
    const lineEnd = rest.indexOf('\r\n', position)
    if (lineEnd < 0) return undefined
    const size = Number.parseInt(rest.subarray(position, lineEnd).toString('latin1'), 16)
    if (size === 0) return Buffer.concat(chunks).toString('utf8')
    const start = lineEnd + 2
    if (rest.length < start + size + 2) return undefined
    chunks.push(rest.subarray(start, start + size))
    position = start + size + 2
  }
}
