// Reads a whole body. The framework could, but would keep every piece as it came (gathered-bytes.ts). Most bodies
// come together with their headers: they are taken at once, without waiting for an event. None comes any more when
// their sender has hung up since, and what was sent whole is done all the same.
// decisions/2026-11-25-request-overhead.md
import type { Readable } from 'node:stream'
import { BODY_BYTES_MAX } from '../../contract/bounds.ts'
import { ApiError } from '../../contract/errors.ts'
import { GatheredBytes } from './gathered-bytes.ts'

/** A request, whose `complete` tells that all of it has arrived. */
type Body = Readable & { complete?: boolean }

/** Rejects with PAYLOAD_TOO_LARGE, or with what broke the connection. What comes later is not kept. */
export async function readBody(body: Body, bytesMax: number): Promise<Buffer> {
  if (body.complete !== true) return gather(body, bytesMax)
  if (body.readableLength > bytesMax) throw bodyTooLarge(bytesMax)
  const bytes: Buffer | null = body.read()
  return bytes ?? Buffer.alloc(0)
}

export const bodyTooLarge = (bytesMax: number): ApiError =>
  new ApiError(
    'PAYLOAD_TOO_LARGE',
    bytesMax === BODY_BYTES_MAX
      ? {}
      : { message: `The body must have at most ${bytesMax / 1024} KiB.` },
  )

function gather(body: Readable, bytesMax: number): Promise<Buffer> {
  // Its connection may have broken while nobody read it: no event would say so again.
  if (body.destroyed) return Promise.reject(body.errored ?? new Error('The body is cut off.'))
  const gathered = new GatheredBytes()
  return new Promise((resolve, reject) => {
    const onData = (piece: Buffer): void => {
      if (gathered.length + piece.length <= bytesMax) gathered.add(piece)
      else fail(bodyTooLarge(bytesMax))
    }
    const onEnd = (): void => {
      leave()
      resolve(gathered.take())
    }
    const fail = (error: Error): void => {
      leave()
      reject(error)
    }
    const leave = (): void => {
      body.off('data', onData).off('end', onEnd).off('error', fail)
    }
    body.on('data', onData).once('end', onEnd).once('error', fail)
  })
}
