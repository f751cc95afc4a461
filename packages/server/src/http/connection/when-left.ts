// Tells that a caller has left without its answer. Fastify's own `request.signal` would come too early: Node closes a
// request as soon as all of its body is read, whether or not it is answered.
import type { FastifyReply } from 'fastify'
import { ApiError } from '../../contract/errors.ts'

/** Its reason is an answer that nobody reads. */
export function whenLeft({ raw }: FastifyReply): AbortSignal {
  const leaving = new AbortController()
  const leave = (): void => {
    if (!raw.writableFinished) leaving.abort(new ApiError('BAD_REQUEST'))
  }
  if (raw.closed) leave()
  else raw.once('close', leave)
  return leaving.signal
}
