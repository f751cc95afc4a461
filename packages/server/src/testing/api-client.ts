// Speaks HTTP as an ordinary client does, and hands back everything that came.
import { parsedJson } from '../parsed-json.ts'

export type Answer = {
  status: number
  headers: Headers
  text: string
  /** The parsed body, or undefined when it is not JSON. */
  body: unknown
  /** `id` of the body, or an empty text. */
  id: string
  /** `error.code` of the body, or an empty text. */
  code: string
}

export type Request = {
  /** Sent as JSON. */
  json?: unknown
  /** Sent as it is. */
  bytes?: string | Uint8Array
  headers?: Record<string, string>
}

export type Call = (method: string, path: string, request?: Request) => Promise<Answer>

/** Calls of one key; without a key, of nobody. */
export function apiClient(address: string, key?: string): Call {
  return async (method, path, { json, bytes, headers = {} } = {}) => {
    const body = json === undefined ? bytes : JSON.stringify(json)
    const response = await fetch(`${address}${path}`, {
      method,
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body instanceof Uint8Array ? new Uint8Array(body) : (body ?? null),
    })
    const text = await response.text()
    const parsed = parsedJson(text)
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: parsed,
      id: String(Object(parsed).id ?? ''),
      code: String(Object(Object(parsed).error).code ?? ''),
    }
  }
}
