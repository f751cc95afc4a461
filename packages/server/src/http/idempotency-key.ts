// The optional header that makes a create repeatable.
import type { FastifyRequest } from 'fastify'
import { IDEMPOTENCY_KEY_LENGTH_MAX } from '../contract/bounds.ts'
import { ApiError } from '../contract/errors.ts'

const HEADER = 'Idempotency-Key'
const FORM = new RegExp(`^[\\x21-\\x7e]{1,${IDEMPOTENCY_KEY_LENGTH_MAX}}$`)

/** Throws VALIDATION_ERROR for a header that is there but not usable. */
export function idempotencyKeyOf({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  return readIdempotencyKey(headers[HEADER.toLowerCase()], HEADER)
}

/** `field` is where it was given. Throws VALIDATION_ERROR for a value that is not usable. */
export function readIdempotencyKey(value: unknown, field: string): string | undefined {
  if (value === undefined) return undefined
  if (typeof value !== 'string' || !FORM.test(value)) {
    throw new ApiError('VALIDATION_ERROR', {
      message: `${field} must be given once, with 1 to ${IDEMPOTENCY_KEY_LENGTH_MAX} visible ASCII characters.`,
      fields: { field },
    })
  }
  return value
}
