// One try of a request: a whole answer, within its time, or why there is none. The body is read even where
// nobody needs it, so that the connection can be used again, and nothing stays behind on the caller's signal.
import type { Answer } from './answer.ts'
import { ConnectionError, TimeoutError } from './errors.ts'
import { whenAborted } from './when-aborted.ts'

export type FetchRequest = {
  method: string
  headers: Record<string, string>
  body: string | null
  /** A followed redirect could carry the key to another origin. */
  redirect: 'manual'
  signal: AbortSignal
}
/** As much of the platform's `fetch` as is needed, so that one with an agent of its own fits too. */
export type Fetch = (
  url: string,
  request: FetchRequest,
) => Promise<Omit<Answer, 'text'> & { text(): Promise<string> }>

/** Throws ConnectionError, TimeoutError, or the reason of the caller's signal. */
export async function tryOnce(
  fetch: Fetch,
  url: string,
  request: Pick<FetchRequest, 'method' | 'headers' | 'body'>,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal | undefined },
): Promise<Answer> {
  signal?.throwIfAborted()
  const controller = new AbortController()
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    controller.abort()
  }, timeoutMs)
  const stopWaiting = whenAborted(signal, () => controller.abort(signal?.reason))
  try {
    const response = await fetch(url, {
      ...request,
      redirect: 'manual',
      signal: controller.signal,
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  } catch (cause) {
    signal?.throwIfAborted()
    const { origin } = new URL(url)
    if (isLate) throw new TimeoutError(`${origin} has not answered within ${timeoutMs} ms.`)
    throw new ConnectionError(`${origin} cannot be reached, or the connection was lost.`, { cause })
  } finally {
    clearTimeout(timer)
    stopWaiting()
  }
}
