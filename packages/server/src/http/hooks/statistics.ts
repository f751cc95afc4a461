// Counts what was answered to a key, by operation or by the code of the refusal, for the console.
// Nothing of the request itself is looked at.
import type { FastifyRequest } from 'fastify'
import { errorKind } from '../../contract/statistics.ts'
import type { Service } from '../../core/service.ts'

export function countRequests({ usageJournal }: Service) {
  return async (request: FastifyRequest): Promise<void> => {
    const { admitted, errorCode, routeOptions } = request
    if (admitted === null) return
    const { keyId } = admitted.caller
    const { operation } = routeOptions.config
    if (errorCode !== null) usageJournal.count(keyId, errorKind(errorCode))
    else if (operation !== undefined) usageJournal.count(keyId, operation)
  }
}
