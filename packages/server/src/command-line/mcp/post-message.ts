// One message to the server, by a request of its own: what the server answers, as messages, or a failure that
// says what is wrong and what to do. A connection serves one message: one that was kept may be gone when it is
// needed, and whether its message was taken nobody could tell. Redirections are not followed: they are told
// no key.
// decisions/2026-11-27-tools-for-agents.md
import type { IncomingMessage } from 'node:http'
import { parsedJson } from '../../parsed-json.ts'
import { connectionFailure } from '../connection-failure.ts'
import { postRequest } from '../post-request.ts'
import { printable } from '../printable.ts'
import { eventData } from './event-stream.ts'
import { Failure, type Message } from './message.ts'
import { messageHeaders } from './message-headers.ts'

/** A page of a hundred records, escaped twice, stays below it. */
const ANSWER_BYTES_MAX = 16 * 1024 * 1024

export type Server = {
  /** Of its `/mcp`. */
  address: string
  key: string
  /** What to say to whoever named a key that it does not take. */
  otherKey: string
}

type Options = { agreed: string | undefined; signal: AbortSignal }

type Answer = Record<string, unknown>

/** To a request the last one is its answer. Throws a Failure, or what the signal was aborted with. */
export async function* postMessage(
  server: Server,
  message: Message,
  { agreed, signal }: Options,
): AsyncGenerator<Answer, void> {
  let hasConnected = false
  try {
    const { request, answer } = postRequest(server.address, {
      signal,
      headers: {
        ...messageHeaders(message, agreed),
        authorization: `Bearer ${server.key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      onConnected: () => {
        hasConnected = true
      },
    })
    request.end(message.bytes)
    yield* answersOf(await answer, server, message)
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (error instanceof Failure || !(error instanceof Error)) throw error
    const reason = connectionFailure(error)
    throw new Failure(
      hasConnected
        ? `The connection to ${server.address} broke (${reason}) before the answer was there. What was asked ` +
            'for may have been done.'
        : `The server at ${server.address} cannot be reached (${reason}). Is it running, and is --url right?`,
    )
  }
}

async function* answersOf(
  response: IncomingMessage,
  server: Server,
  { id }: Message,
): AsyncGenerator<Answer, void> {
  const { statusCode: status = 0, headers } = response
  const isSuccess = status >= 200 && status < 300
  if (id === undefined && isSuccess) {
    response.destroy()
    return
  }
  const isStream = isSuccess && /^text\/event-stream\b/i.test(headers['content-type'] ?? '')
  const chunks = bounded(response)
  for await (const text of isStream ? eventData(chunks, ANSWER_BYTES_MAX) : whole(chunks)) {
    const answer = parsedJson(text)
    if (id === undefined || !isMessage(answer)) throw refusal(server, status, answer)
    if ('method' in answer) yield answer
    else {
      // What is refused before it is read has no id, and only one message was asked.
      yield { ...answer, id }
      return
    }
  }
  throw new Failure(`The server at ${server.address} ended its answer too early.`)
}

async function* bounded(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  let length = 0
  for await (const chunk of chunks) {
    length += chunk.length
    if (length > ANSWER_BYTES_MAX) throw new Failure('The answer has more than 16 MiB.')
    yield chunk
  }
}

async function* whole(chunks: AsyncIterable<Buffer>): AsyncGenerator<string, void> {
  yield String(Buffer.concat(await Array.fromAsync(chunks)))
}

const isMessage = (answer: unknown): answer is Answer =>
  Object(answer).jsonrpc === '2.0' &&
  ['method', 'result', 'error'].some((field) => field in Object(answer))

/** In the server's own words, where it is one. */
function refusal({ address, otherKey }: Server, status: number, answer: unknown): Failure {
  const { error } = Object(answer)
  const { message } = Object(error)
  if (typeof message !== 'string') {
    return new Failure(
      `What answers at ${address}, with ${status}, is no Mnemograph. Is it running, and is --url right?`,
    )
  }
  const advice: Record<number, string> = {
    401: ` ${otherKey} Then start this command anew.`,
    404: ' Is --url right?',
  }
  const text = `The server refuses: ${printable(message)}${advice[status] ?? ''}`
  return new Failure(text, { data: error })
}
