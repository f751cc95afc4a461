// What HTTP itself demands and Node leaves to us, before anything else is looked at: one Host header.
import type { FastifyRequest } from 'fastify'
import { ApiError } from '../../contract/errors.ts'
import { timesGiven } from '../validation/times-given.ts'

export async function guardRequest({ raw }: FastifyRequest): Promise<void> {
  const hosts = timesGiven(raw.rawHeaders, 'host')
  if (hosts > 1 || (hosts === 0 && raw.httpVersion !== '1.0')) {
    throw new ApiError('BAD_REQUEST', {
      message: 'The request must have exactly one Host header.',
    })
  }
}
