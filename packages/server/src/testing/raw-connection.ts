// A bare connection, for what no HTTP client would send: broken, slow, pipelined or huge requests.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

type RawAnswer = { status: number; headers: Map<string, string>; body: string }

export class RawConnection {
  readonly #socket: Socket
  readonly #ended: Promise<void>
  #received = Buffer.alloc(0)
  #wake: () => void = () => undefined
  #open = true

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', (data) => {
      this.#received = Buffer.concat([this.#received, data])
      this.#wake()
    })
    // A reset is one of the ways in which a connection ends.
    socket.on('error', () => undefined)
    this.#ended = new Promise((resolve) => {
      socket.once('close', () => {
        this.#open = false
        this.#wake()
        resolve()
      })
    })
  }

  static async open(address: string): Promise<RawConnection> {
    const { hostname, port } = new URL(address)
    const socket = connect(Number(port), hostname)
    const connection = new RawConnection(socket)
    await once(socket, 'connect')
    return connection
  }

  /** Resolves when the system has taken everything. */
  send(data: string | Uint8Array): Promise<void> {
    return new Promise((resolve) => this.#socket.write(data, () => resolve()))
  }

  /** The next answer. Rejects when the connection ends before it is whole. */
  async answer({ toHead = false } = {}): Promise<RawAnswer> {
    const endOfHead = await this.#until(() => {
      const end = this.#received.indexOf('\r\n\r\n')
      return end === -1 ? undefined : end
    })
    const [statusLine = '', ...lines] = this.#received
      .toString('latin1', 0, endOfHead)
      .split('\r\n')
    const headers = new Map(
      lines.map((line): [string, string] => {
        const colon = line.indexOf(':')
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
      }),
    )
    const bodyStart = endOfHead + 4
    const bodyEnd = bodyStart + (toHead ? 0 : Number(headers.get('content-length') ?? 0))
    await this.#until(() => (this.#received.length >= bodyEnd ? true : undefined))
    const body = this.#received.toString('utf8', bodyStart, bodyEnd)
    this.#received = this.#received.subarray(bodyEnd)
    return { status: Number(statusLine.split(' ')[1]), headers, body }
  }

  /** Resolves when the server has closed the connection, with what it sent and nobody read. */
  async ended(): Promise<string> {
    await this.#ended
    return this.#received.toString('latin1')
  }

  close(): void {
    this.#socket.destroy()
  }

  [Symbol.dispose](): void {
    this.close()
  }

  async #until<Value>(look: () => Value | undefined): Promise<Value> {
    for (;;) {
      const value = look()
      if (value !== undefined) return value
      if (!this.#open) throw new Error('The connection ended before the answer was whole.')
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }
}

/** A request as text; `Content-Length` is added when there is a body. */
export function rawRequest(
  line: string,
  headers: Record<string, string>,
  body: string | undefined = undefined,
): string {
  const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
  const all = Object.entries({ Host: 'localhost', ...length, ...headers })
  const lines = all.map(([name, value]) => `${name}: ${value}\r\n`)
  return `${line} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`
}
