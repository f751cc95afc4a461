// What the hooks of /v1 leave on a request for those that come after them.
import type { FastifyRequest } from 'fastify'
import type { OperationId, RateClass } from '../contract/operations.ts'
import type { Admitted } from '../core/limits/admission.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once a valid key is seen. */
    admitted: Admitted | null
    /** The code of the error that was answered. */
    errorCode: string | null
  }
  interface FastifyContextConfig {
    /** Absent for paths and methods that no operation answers. */
    operation?: OperationId
    /** Of a route that is no operation, where its method does not tell. */
    rateClass?: RateClass
  }
}

/** For code that runs after authentication. */
export function admittedOf({ admitted }: Pick<FastifyRequest, 'admitted'>): Admitted {
  if (admitted === null) throw new Error('The request was not authenticated.')
  return admitted
}
