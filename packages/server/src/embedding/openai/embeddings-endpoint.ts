// One try at an OpenAI-compatible `/embeddings` endpoint. Redirects are not followed: texts go to
// the configured address and nowhere else.
import { vectorsOf } from './embeddings-answer.ts'
import { AnswerTooLate, EndpointError } from './endpoint-error.ts'
import { faultIn, TIMEOUT } from './fault.ts'

export type EndpointOptions = {
  /** Up to and without `/embeddings`; a query, as some gateways need it, is kept. */
  baseUrl: string
  apiKey: string | undefined
  model: string
  dimension: number
  /** Asks the service for vectors of this dimension. Only some models can; others refuse. */
  requestDimension: boolean
  timeoutMs: number
}

export type EmbedTexts = (texts: string[], signal: AbortSignal) => Promise<Float32Array[]>

/** Of an answer: more than ten times what the vectors of a request take. */
const ANSWER_BYTES_MAX = 64 * 1024 * 1024
const TRANSIENT_STATUSES = new Set([408, 429])

/** Rejects with an EndpointError. */
export function embeddingsEndpoint(options: EndpointOptions): EmbedTexts {
  const url = addressOf(options.baseUrl)
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    ...(options.apiKey === undefined ? {} : { authorization: `Bearer ${options.apiKey}` }),
  }
  const { model, dimension, requestDimension, timeoutMs } = options

  return async (texts, signal) => {
    const body = JSON.stringify({
      model,
      input: texts,
      // Gateways differ in their default, and not every model can do base64.
      encoding_format: 'float',
      ...(requestDimension ? { dimensions: dimension } : {}),
    })
    const answer = await post(url, { headers, body, signal, timeoutMs })
    return vectorsOf(answer, { count: texts.length, dimension })
  }
}

function addressOf(baseUrl: string): URL {
  const url = new URL(baseUrl)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/embeddings`
  return url
}

type Post = {
  headers: Record<string, string>
  body: string
  signal: AbortSignal
  timeoutMs: number
}

/** The body of a 200. The time limit holds until its last byte. */
async function post(url: URL, { headers, body, signal, timeoutMs }: Post): Promise<string> {
  const attempt = new AbortController()
  const abort = (): void => attempt.abort(signal.reason)
  const timeout = setTimeout(() => attempt.abort(new Error(TIMEOUT)), timeoutMs)
  signal.addEventListener('abort', abort)
  try {
    signal.throwIfAborted()
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: attempt.signal,
    })
    if (response.status === 200) return await textOf(response.body ?? [])
    await response.body?.cancel()
    throw refusalOf(response)
  } catch (error) {
    if (error instanceof EndpointError) throw error
    if (attempt.signal.aborted && !signal.aborted) throw new AnswerTooLate(error)
    const fault = faultIn(error)
    const inBrackets = fault === undefined ? '' : ` (${fault})`
    throw new EndpointError(`The embedding service did not answer${inBrackets}.`, {
      isTransient: !signal.aborted,
      cause: error,
    })
  } finally {
    clearTimeout(timeout)
    signal.removeEventListener('abort', abort)
  }
}

/** A service that sends without an end takes no more memory than this. */
async function textOf(body: AsyncIterable<Uint8Array> | []): Promise<string> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of body) {
    bytes += piece.length
    if (bytes > ANSWER_BYTES_MAX) {
      throw new EndpointError('The embedding service answered with far more than embeddings.')
    }
    pieces.push(piece)
  }
  return new TextDecoder().decode(Buffer.concat(pieces))
}

const refusalOf = ({ status, headers }: Response): EndpointError =>
  new EndpointError(`The embedding service answered ${status}.`, {
    status,
    isTransient: TRANSIENT_STATUSES.has(status) || status >= 500,
    retryAfterMs: waitOf(headers.get('retry-after')),
  })

/** Retry-After is a number of seconds or a date. */
function waitOf(retryAfter: string | null): number {
  if (retryAfter === null) return 0
  const waitMs = /^\d+$/.test(retryAfter)
    ? Number(retryAfter) * 1000
    : Date.parse(retryAfter) - Date.now()
  return Number.isNaN(waitMs) ? 0 : Math.max(0, waitMs)
}
