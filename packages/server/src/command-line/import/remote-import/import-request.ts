// One request of an import: writes lines and reads answers at once, over plain HTTP. The answer that
// comes back is whatever the server said, or that the connection broke.
import type { ClientRequest, IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { IMPORT_MEDIA_TYPE, IMPORT_PATH } from '../../../contract/import.ts'
import { splitLines } from '../../../http/body/split-lines.ts'
import { parsedJson } from '../../../parsed-json.ts'
import { CommandFailure, RefusedKey } from '../../failure.ts'
import { postRequest } from '../../post-request.ts'
import { refusalText } from './answer.ts'

/** `url` is without a slash at its end. */
export type Server = { url: string; key: string }

/** An idle connection is cut by proxies, and by the server after a minute. */
const KEEP_OPEN_INTERVAL_MS = 10_000

/** Of one line; each is far shorter. */
const ANSWER_BYTES_MAX = 1024 * 1024
/** For the text of a refusal, which is short. Whoever asks the command to stop waits no longer either. */
const REFUSAL_MS_MAX = 5_000
const LINE_FEED = Buffer.from('\n')

export class ImportRequest {
  readonly #request: ClientRequest
  readonly #answer: Promise<IncomingMessage>
  readonly #keepOpen: NodeJS.Timeout
  #wroteAtMs = performance.now()
  #hasConnected = false

  constructor({ url, key }: Server) {
    const { request, answer } = postRequest(`${url}${IMPORT_PATH}`, {
      headers: { authorization: `Bearer ${key}`, 'content-type': IMPORT_MEDIA_TYPE },
      onConnected: () => {
        this.#hasConnected = true
      },
    })
    this.#request = request
    this.#answer = answer
    this.#request.setSocketKeepAlive(true, KEEP_OPEN_INTERVAL_MS)
    this.#request.flushHeaders()
    // A failure is reported when the answer is read; until then it is not an unhandled rejection.
    this.#answer.catch(() => undefined)
    this.#keepOpen = setInterval(() => {
      const idleMs = performance.now() - this.#wroteAtMs
      // Where something waits to be taken, more would only wait behind it, and each for itself.
      if (idleMs < KEEP_OPEN_INTERVAL_MS || this.#request.writableNeedDrain) return
      void this.write(Buffer.alloc(0))
    }, KEEP_OPEN_INTERVAL_MS)
  }

  /** Resolves when there is room for more, or the connection is gone. */
  async write(line: Buffer): Promise<void> {
    if (this.#request.destroyed || this.#request.writableEnded) return
    this.#wroteAtMs = performance.now()
    if (this.#request.write(Buffer.concat([line, LINE_FEED]))) return
    await this.unlessClosed(new Promise((resolve) => this.#request.once('drain', resolve)))
  }

  /**
   * Waits for the work while something can be written or read. Many wait for each request: a race with one
   * promise of its end would keep something of every one of them until then.
   */
  unlessClosed(work: Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#request.off('close', resolve)
      }
      this.#request.once('close', resolve)
      void work.then(resolve, reject).finally(leave)
    })
  }

  /** Whether there was anybody at the address who can be talked to, and may be trusted. */
  get hasConnected(): boolean {
    return this.#hasConnected
  }

  get isClosed(): boolean {
    return this.#request.destroyed
  }

  /** Nothing more will be written. */
  end(): void {
    if (!this.#request.destroyed) this.#request.end()
  }

  /** Each line of the answer, parsed. Throws a RefusedImport, a CommandFailure, or whatever broke the connection. */
  async *answers(): AsyncGenerator<unknown, void> {
    const answer = await this.#answer
    const type = answer.headers['content-type'] ?? ''
    if (answer.statusCode !== 200 || !type.startsWith(IMPORT_MEDIA_TYPE)) {
      throw await refusalOf(answer)
    }
    for await (const { bytes } of splitLines(answer, ANSWER_BYTES_MAX)) {
      const line = parsedJson(String(bytes))
      if (line === undefined) throw new Error('a line of the answer is not whole')
      yield line
    }
  }

  close(): void {
    clearInterval(this.#keepOpen)
    this.#request.destroy()
  }
}

/** The server takes no lines now; a later try may find it ready. */
export class RefusedImport extends Error {
  override readonly name = 'RefusedImport'
  readonly retryAfterMs: number

  constructor(message: string, retryAfterMs: number) {
    super(message)
    this.retryAfterMs = retryAfterMs
  }
}

/** A CommandFailure when no later try will do better. Rejects when the reason does not come in time. */
async function refusalOf(answer: IncomingMessage): Promise<Error> {
  const status = answer.statusCode ?? 0
  const late = setTimeout(
    () => answer.destroy(new Error(`the answer ${status} has no end`)),
    REFUSAL_MS_MAX,
  )
  const reason = await text(answer).finally(() => clearTimeout(late))
  const message = refusalText(reason) ?? `what answered, with ${status}, is no Mnemograph.`
  if (status === 401) return new RefusedKey(`The server refuses: ${message}`)
  if (status !== 429 && status < 500) return new CommandFailure(`The server refuses: ${message}`)
  return new RefusedImport(message, retryAfterMs(answer.headers['retry-after']))
}

/** Proxies may also name a date, or a time that no timer can wait for: these say no more than `later`. */
const retryAfterMs = (told = ''): number => 1_000 * (/^\d{1,6}$/.test(told) ? Number(told) : 1)
