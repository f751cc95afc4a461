// A bare HTTP client: one connection, one request at a time. A full client spends more on a request than the
// server does, and on few cores would mostly measure itself. It is closed at the end of its block.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

type Answer = { status: number; body: string; tookMs: number }

type Waiting = {
  resolve: (answer: Answer) => void
  reject: (error: Error) => void
  startMs: number
}

const HEAD_END = '\r\n\r\n'

export class TimedConnection {
  readonly #socket: Socket
  readonly #headers: string
  #received: Buffer = Buffer.alloc(0)
  #waiting: Waiting | undefined

  private constructor(socket: Socket, headers: string) {
    this.#socket = socket
    this.#headers = headers
    socket.on('data', (bytes) => this.#take(bytes))
    socket.on('error', (error) => this.#fail(error))
    socket.on('close', () => this.#fail(new Error('The server closed the connection.')))
  }

  static async open(url: string, key?: string): Promise<TimedConnection> {
    const { hostname, port, host } = new URL(url)
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    await once(socket, 'connect')
    const authorization = key === undefined ? '' : `Authorization: Bearer ${key}\r\n`
    return new TimedConnection(socket, `Host: ${host}\r\n${authorization}`)
  }

  /** Rejects when the connection breaks. Errors of the server are answers. */
  send(method: string, path: string, body?: object): Promise<Answer> {
    if (this.#waiting !== undefined) throw new Error('The last request is not answered yet.')
    const text = body === undefined ? '' : JSON.stringify(body)
    const about =
      body === undefined
        ? ''
        : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n`
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    this.#waiting = { resolve, reject, startMs: performance.now() }
    this.#socket.write(`${method} ${path} HTTP/1.1\r\n${this.#headers}${about}\r\n${text}`)
    return promise
  }

  /** As `send`, but throws for an answer that is no success. */
  async ask(method: string, path: string, body?: object): Promise<Answer> {
    const answer = await this.send(method, path, body)
    if (answer.status >= 200 && answer.status < 300) return answer
    throw new Error(`${method} ${path} answered ${answer.status}: ${answer.body}`)
  }

  [Symbol.dispose](): void {
    this.#waiting = undefined
    this.#socket.destroy()
  }

  #take(bytes: Buffer): void {
    this.#received = this.#received.length === 0 ? bytes : Buffer.concat([this.#received, bytes])
    const headEnd = this.#received.indexOf(HEAD_END)
    if (headEnd === -1) return
    const head = this.#received.toString('latin1', 0, headEnd)
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0)
    const end = headEnd + HEAD_END.length + length
    if (this.#received.length < end) return
    const body = this.#received.toString('utf8', headEnd + HEAD_END.length, end)
    this.#received = this.#received.subarray(end)
    const waiting = this.#waiting
    this.#waiting = undefined
    const status = Number(head.split(' ', 2)[1])
    waiting?.resolve({ status, body, tookMs: performance.now() - waiting.startMs })
  }

  #fail(error: Error): void {
    this.#waiting?.reject(error)
    this.#waiting = undefined
  }
}

/** Runs the task for every item, one at a time on each of so many connections. */
export async function overConnections<Item>(
  items: readonly Item[],
  { url, key, width }: { url: string; key?: string; width: number },
  task: (connection: TimedConnection, item: Item) => Promise<unknown>,
): Promise<{ tookMs: number }> {
  using open = new DisposableStack()
  const opening = Array.from({ length: width }, () => TimedConnection.open(url, key))
  const connections = (await Promise.all(opening)).map((connection) => open.use(connection))
  const waiting = items.values()
  const startMs = performance.now()
  await Promise.all(
    connections.map(async (connection) => {
      for (const item of waiting) await task(connection, item)
    }),
  )
  return { tookMs: performance.now() - startMs }
}
