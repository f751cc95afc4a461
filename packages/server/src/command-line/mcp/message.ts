// The messages of JSON-RPC, one a line: what a client's line is, and the errors that answer it. Whatever is
// asked is answered under its own id, or nobody would know what the answer is to.
// decisions/2026-11-27-tools-for-agents.md
import { BODY_BYTES_MAX } from '../../contract/bounds.ts'
import { parsedJson } from '../../parsed-json.ts'

const PARSE_ERROR = -32700
const INVALID_REQUEST = -32600
const INTERNAL_ERROR = -32603

type Id = string | number

export type Message = {
  /** As they came. */
  bytes: Buffer
  /** Undefined in a client's answer. */
  method: string | undefined
  params: Readonly<Record<string, unknown>>
  /** Of what has to be answered: a request. */
  id: Id | undefined
}

/** For the client, and the person behind it: says what is wrong and what to do. */
export class Failure extends Error {
  override readonly name: string = 'Failure'
  readonly code: number
  readonly data: unknown

  constructor(
    message: string,
    { code = INTERNAL_ERROR, data }: { code?: number; data?: unknown } = {},
  ) {
    super(message)
    this.code = code
    this.data = data
  }
}

/** A line that is no message, with the id that it has nevertheless. */
export class NoMessage extends Failure {
  override readonly name = 'NoMessage'
  readonly id: Id | null

  constructor(message: string, code = INVALID_REQUEST, id: Id | null = null) {
    super(message, { code })
    this.id = id
  }
}

/** `bytes` are undefined when they are too many to be kept. Throws a NoMessage. */
export function readMessage(bytes: Buffer | undefined): Message {
  if (bytes === undefined) throw new NoMessage(TOO_LARGE)
  const message = parsedJson(String(bytes))
  if (message === undefined) throw new NoMessage('The line is no JSON.', PARSE_ERROR)
  const { jsonrpc, method, params, id, result, error } = Object(message)
  const ownId = isId(id) ? id : undefined
  const isAnswer = method === undefined && (result !== undefined || error !== undefined)
  const isMessage = isAnswer || (typeof method === 'string' && (id === undefined || isId(id)))
  if (jsonrpc !== '2.0' || !isMessage) {
    throw new NoMessage('The line must be one JSON-RPC message.', INVALID_REQUEST, ownId)
  }
  if (bytes.length > BODY_BYTES_MAX) throw new NoMessage(TOO_LARGE, INVALID_REQUEST, ownId)
  return { bytes, method, params: Object(params), id: isAnswer ? undefined : ownId }
}

const TOO_LARGE = 'The message must have at most 1 MiB.'

const isId = (id: unknown): id is Id => typeof id === 'string' || typeof id === 'number'

export const errorAnswer = (id: Id | null, { code, message, data }: Failure): object => ({
  jsonrpc: '2.0',
  id,
  error: { code, message, ...(data === undefined ? {} : { data }) },
})
