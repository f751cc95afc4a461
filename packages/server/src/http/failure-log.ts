// What the log says of a refusal beyond the line of its request. An error is what failed on our side, by
// its cause. That the model takes no further text, or the store no further search, is how a server with
// too much to do goes on working: a warning that says why. Whatever else is refused by choice (a limit, a
// stop) has no line of its own.
import type { FastifyBaseLogger } from 'fastify'
import type { ApiError } from '../contract/errors.ts'
import { EmbedderUnavailable } from '../embedding/embedder.ts'
import { StoreOverloaded } from '../storage/store.ts'

export function logFailure(
  log: Pick<FastifyBaseLogger, 'error' | 'warn'>,
  { code, status, cause }: ApiError,
): void {
  // Whatever was thrown is the cause of an INTERNAL_ERROR, nothing too.
  if (status < 500 || (cause === undefined && code !== 'INTERNAL_ERROR')) return
  if (isOverloaded(cause)) {
    log.warn({ reason: cause.message }, code)
  } else {
    log.error({ err: cause }, code)
  }
}

const isOverloaded = (cause: unknown): cause is Error =>
  cause instanceof StoreOverloaded ||
  (cause instanceof EmbedderUnavailable && cause.cause === undefined)
