// What the hooks of /v1 leave on a request for those that come after them.
import type { FastifyRequest } from 'fastify'
import type { OperationId } from '../../contract/operations.ts'
import type { Caller } from '../../core/keys.ts'
import type { Meter } from '../../core/quota.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
    meter: Meter | null
    /** The code of the error that was answered. */
    errorCode: string | null
  }
  interface FastifyContextConfig {
    /** Absent for paths and methods that no operation answers. */
    operation?: OperationId
  }
}

/** For code that runs after authentication. */
export function callerOf({ caller, meter }: FastifyRequest): { caller: Caller; meter: Meter } {
  if (caller === null || meter === null) throw new Error('The request was not authenticated.')
  return { caller, meter }
}
