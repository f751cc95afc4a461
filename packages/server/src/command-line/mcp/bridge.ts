// Messages between a client's pipes and a server: every line is posted, and every answer is a line, as soon
// as it is there. Whatever happens to a request, it is answered, unless the client has cancelled it; what
// happens to anything else is told to people. So many requests are under way at most, each for a bounded
// time; reading waits beyond that, with one more in hand, so that a client that keeps to the bound can
// always cancel. At the end of the input what is under way is answered, but not for ever.
// decisions/2026-11-27-tools-for-agents.md
import type { Readable } from 'node:stream'
import { BODY_BYTES_MAX } from '../../contract/bounds.ts'
import { isBlank, splitLines } from '../../http/body/split-lines.ts'
import { print } from '../output.ts'
import { errorAnswer, Failure, type Message, NoMessage, readMessage } from './message.ts'
import { postMessage, type Server } from './post-message.ts'

/** What is larger than a server takes is still told apart by its id. */
const LINE_BYTES_MAX = 4 * BODY_BYTES_MAX
const CALLS_MAX = 32
const CALL_MS_MAX = 5 * 60_000
/** Clients that want it sooner send a signal then. */
const END_MS_MAX = 10_000

const CANCELLED = new Failure('cancelled')
const STOPPED = new Failure('This ended before the server had answered.')

type Call = { message: Message; controller: AbortController }

export class Bridge {
  readonly #server: Server
  /** Under way, with their ends. */
  readonly #calls = new Map<Call, Promise<void>>()
  /** The revision of the handshake. */
  #agreed: string | undefined
  #onRoom: () => void = () => undefined
  /** Aborted when nothing more can be done: somebody asked to stop, or the output cannot be written. */
  readonly #end = new AbortController()

  constructor(server: Server) {
    this.#server = server
  }

  /** Throws what `print` throws when the output cannot be written. */
  async run(input: Readable, stop: AbortSignal): Promise<void> {
    const { signal } = this.#end
    stop.addEventListener('abort', () => this.#end.abort(STOPPED))
    signal.addEventListener('abort', () => {
      input.destroy()
      this.#abandonCalls()
    })
    if (stop.aborted) this.#end.abort(STOPPED)
    try {
      for await (const { bytes } of splitLines(input, LINE_BYTES_MAX)) {
        if (bytes === undefined || !isBlank(bytes)) await this.#take(bytes)
      }
    } catch (error) {
      // The input was ended under the reader.
      if (!signal.aborted) throw error
    }
    const late = setTimeout(() => this.#abandonCalls(), END_MS_MAX)
    await Promise.all(this.#calls.values())
    clearTimeout(late)
    if (signal.aborted && signal.reason !== STOPPED) throw signal.reason
  }

  async #take(bytes: Buffer | undefined): Promise<void> {
    try {
      const message = readMessage(bytes)
      if (message.method === 'notifications/cancelled') this.#cancel(message.params['requestId'])
      else await this.#begin(message)
    } catch (error) {
      if (!(error instanceof NoMessage)) throw error
      await this.#write(errorAnswer(error.id, error))
    }
  }

  /** Over HTTP the end of a request says it; the server, which keeps no sessions, could not know which. */
  #cancel(id: unknown): void {
    for (const { message, controller } of this.#calls.keys()) {
      if (message.id !== undefined && message.id === id) controller.abort(CANCELLED)
    }
  }

  async #begin(message: Message): Promise<void> {
    while (this.#calls.size >= CALLS_MAX) {
      await new Promise<void>((resolve) => {
        this.#onRoom = resolve
      })
    }
    const controller = new AbortController()
    if (this.#end.signal.aborted) controller.abort(STOPPED)
    const call = { message, controller }
    const performed = this.#perform(call).finally(() => {
      this.#calls.delete(call)
      this.#onRoom()
    })
    this.#calls.set(call, performed)
  }

  async #perform({ message, controller }: Call): Promise<void> {
    const late = setTimeout(
      () => controller.abort(new Failure('The server has not answered for five minutes.')),
      CALL_MS_MAX,
    )
    const { signal } = controller
    try {
      const answers = postMessage(this.#server, message, { agreed: this.#agreed, signal })
      for await (const answer of answers) {
        if (message.method === 'initialize') this.#agreed = agreedIn(answer)
        await this.#write(answer)
      }
    } catch (error) {
      await this.#tell(message, error)
    } finally {
      clearTimeout(late)
    }
  }

  async #tell({ id, method }: Message, error: unknown): Promise<void> {
    if (error === CANCELLED) return
    const failure = error instanceof Failure ? error : new Failure(String(error))
    if (id !== undefined) await this.#write(errorAnswer(id, failure))
    else
      process.stderr.write(
        `mnemograph: ${method ?? 'An answer'} was not taken. ${failure.message}\n`,
      )
  }

  /** Ends all of it when nobody can be answered any more. */
  async #write(message: object): Promise<void> {
    await print(`${oneLine(message)}\n`).catch((error: unknown) => this.#end.abort(error))
  }

  #abandonCalls(): void {
    for (const { controller } of this.#calls.keys()) controller.abort(STOPPED)
  }
}

/** Some readers of lines, as Node's own, end one at these signs, which JSON may hold as they are. */
const oneLine = (message: object): string =>
  JSON.stringify(message).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')

function agreedIn(answer: Record<string, unknown>): string | undefined {
  const { protocolVersion } = Object(answer['result'])
  return typeof protocolVersion === 'string' ? protocolVersion : undefined
}
