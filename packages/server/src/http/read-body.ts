// Reads a whole body. The framework does it as well, but keeps every piece as it came: gathered-bytes.ts.
import type { Readable } from 'node:stream'
import { ApiError } from '../contract/errors.ts'
import { GatheredBytes } from './gathered-bytes.ts'

/** Rejects with PAYLOAD_TOO_LARGE, or with what broke the connection. What comes later is not kept. */
export function readBody(body: Readable, bytesMax: number): Promise<Buffer> {
  const gathered = new GatheredBytes()
  return new Promise((resolve, reject) => {
    const onData = (piece: Buffer): void => {
      if (gathered.length + piece.length <= bytesMax) gathered.add(piece)
      else fail(new ApiError('PAYLOAD_TOO_LARGE'))
    }
    const onEnd = (): void => {
      leave()
      resolve(gathered.take())
    }
    const fail = (error: Error): void => {
      leave()
      gathered.take()
      reject(error)
    }
    const leave = (): void => {
      body.off('data', onData).off('end', onEnd).off('error', fail)
    }
    body.on('data', onData).once('end', onEnd).once('error', fail)
  })
}
