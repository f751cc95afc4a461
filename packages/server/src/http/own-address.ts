// Where the reader reached us, so that what a page shows can be pasted.
import type { FastifyRequest } from 'fastify'

/** Undefined when the Host header is no address: it is not repeated then. */
export function ownAddress({ protocol, host }: FastifyRequest): string | undefined {
  return /^[\w.-]{1,253}(:\d{1,5})?$|^\[[\da-f:.]{1,45}\](:\d{1,5})?$/i.test(host)
    ? `${protocol}://${host}`
    : undefined
}
