// A path that does not exist, or ends with a slash, is refused before a body is read, and after it is
// known who asks: nobody without a key learns which paths there are.
import type { FastifyInstance } from 'fastify'
import { ApiError } from '../../contract/errors.ts'
import { splitUrl } from '../routable-url.ts'

/** For a scope with a prefix; to be called after its hooks that admit a caller. */
export function refuseUnknownPaths(scope: FastifyInstance): void {
  scope.addHook('onRequest', async ({ is404, url }) => {
    // The router takes a trailing slash for an empty id.
    if (is404 || splitUrl(url)[0].endsWith('/')) throw new ApiError('NOT_FOUND')
  })
  // Without a handler of its own a scope's hooks do not run for unknown paths.
  scope.setNotFoundHandler(async () => {
    throw new ApiError('NOT_FOUND')
  })
}
