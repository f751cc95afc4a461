// What every scope behind an API key does with a request before it looks at a body, in the one order that is
// safe: whoever has no key learns nothing else, and whoever has one has drawn on its window. And what every
// scope tells and counts at the end.
// decisions/2026-11-21-order-of-checks.md
import type { FastifyInstance } from 'fastify'
import type { Service } from '../../core/service.ts'
import { authenticate, showAddressLimit } from './authenticate.ts'
import { allowOrigins } from './cors.ts'
import { rateLimit } from './rate-limit.ts'
import { guardRequest } from './request-guard.ts'
import { countRequests } from './statistics.ts'
import { refuseUnknownPaths } from './unknown-paths.ts'

/** For a scope with a prefix, before any other hook of it. `origins` are those of browsers that may call. */
export async function admitCallers(
  scope: FastifyInstance,
  service: Service,
  origins: string[] = [],
): Promise<void> {
  scope.addHook('onRequest', guardRequest)
  await allowOrigins(scope, origins)
  scope.addHook('onRequest', authenticate(service))
  scope.addHook('onRequest', rateLimit(service))
  refuseUnknownPaths(scope)
  scope.addHook('onSend', showAddressLimit(service))
  scope.addHook('onSend', countRequests(service))
}
