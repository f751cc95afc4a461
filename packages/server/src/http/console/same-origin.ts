// Only the console's own pages may ask its interface for anything. A write must come from the same
// origin by both witnesses that a browser adds and a page cannot forge, and must be JSON, which no
// form can send. A read may not come from another site either.
// decisions/2026-11-21-console-accounts.md
import type { FastifyRequest } from 'fastify'
import { ConsoleError } from '../../console/errors.ts'
import { ApiError } from '../../contract/errors.ts'
import { hasType, JSON_TYPE } from '../body/body-headers.ts'

const READS = ['GET', 'HEAD']

export async function refuseForeignRequests(request: FastifyRequest): Promise<void> {
  const { method, headers, protocol, host } = request
  const site = headers['sec-fetch-site']
  if (READS.includes(method)) {
    if (site !== undefined && site !== 'same-origin' && site !== 'none') {
      throw new ConsoleError('FOREIGN_ORIGIN')
    }
    return
  }
  // Several of them arrive joined by commas, and are then none of ours.
  const own = `${protocol}://${host}`.toLowerCase()
  const isSameOrigin = headers.origin?.toLowerCase() === own
  // Browsers of the last years send it; a program that does not is judged by Origin alone.
  const isSameSite = site === undefined || site === 'same-origin'
  if (!isSameOrigin || !isSameSite) throw new ConsoleError('FOREIGN_ORIGIN')
  if (!hasType(request, JSON_TYPE)) throw new ApiError('UNSUPPORTED_MEDIA_TYPE')
}
