// Reads the body of an import piece by piece, and only when the next piece is asked for: what is not
// asked for stays with its sender. Ends with the body, with its connection, and when told to stop.
import type { IncomingMessage } from 'node:http'
import { ApiError } from '../../contract/errors.ts'

type Patience = {
  /** Ends the reading. */
  signal: AbortSignal
  silenceMsMax: number
  /** The sender was silent for longer while the next piece was waited for, or is gone. */
  onBroken: (reason: ApiError) => void
}

export async function* bodyChunks(
  body: IncomingMessage,
  patience: Patience,
): AsyncGenerator<Buffer, void> {
  for (;;) {
    const chunk = await nextChunk(body, patience)
    if (chunk === undefined) return
    yield chunk
  }
}

function nextChunk(
  body: IncomingMessage,
  { signal, silenceMsMax, onBroken }: Patience,
): Promise<Buffer | undefined> {
  const breakOff = (code: 'REQUEST_TIMEOUT' | 'BAD_REQUEST'): void => onBroken(new ApiError(code))
  if (signal.aborted || body.readableEnded) return Promise.resolve(undefined)
  if (body.destroyed) {
    breakOff('BAD_REQUEST')
    return Promise.resolve(undefined)
  }
  return new Promise((resolve) => {
    const timeout = setTimeout(() => {
      breakOff('REQUEST_TIMEOUT')
      finish(undefined)
    }, silenceMsMax)
    const onData = (chunk: Buffer): void => {
      body.pause()
      finish(chunk)
    }
    const onEnd = (): void => finish(undefined)
    const onGone = (): void => {
      breakOff('BAD_REQUEST')
      finish(undefined)
    }
    function finish(chunk: Buffer | undefined): void {
      clearTimeout(timeout)
      body.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone)
      signal.removeEventListener('abort', onEnd)
      resolve(chunk)
    }
    body.on('data', onData).once('end', onEnd).once('error', onGone).once('close', onGone)
    signal.addEventListener('abort', onEnd, { once: true })
    body.resume()
  })
}
