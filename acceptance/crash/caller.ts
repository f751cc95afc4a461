/**
 * A client for a server that may be gone at any moment: an answer, or undefined when none came.
 * It does not look at shapes, which other cases do; here only what was promised counts.
 */
export interface Reply {
  readonly status: number
  readonly body: unknown
  readonly used: number
}

export interface Caller {
  readonly url: string
  readonly key: string
}

export async function call(
  { url, key }: Caller,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  { body, idempotencyKey }: { body?: unknown; idempotencyKey?: string | undefined } = {},
): Promise<Reply | undefined> {
  try {
    const response = await fetch(`${url}/v1/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const parsed: unknown = await response.json()
    const used = Number(response.headers.get('x-quota-used'))
    return { status: response.status, body: parsed, used }
  } catch {
    return undefined
  }
}

/** For the time between crashes, when every answer has to come. */
export async function callRunning(...args: Parameters<typeof call>): Promise<Reply> {
  const reply = await call(...args)
  if (reply === undefined) throw new Error(`${args[1]} ${args[2]}: the server did not answer`)
  return reply
}
