// What one request may bring: one message, with little besides its arguments. The library keeps a message as
// long as its call takes, and 1 MiB of small values can take 25 MB there; a list of messages would be
// thousands of calls at once. Arguments are bounded by their operation, but how many there may be is bounded here.
// decisions/2026-11-27-tools-for-agents.md
import { ApiError } from '../../contract/errors.ts'

/** A client says some thirty short values about itself with each message. */
const LENGTH_BESIDES_ARGUMENTS_MAX = 16 * 1024

/** Of whatever JSON it is. Throws VALIDATION_ERROR for a list, PAYLOAD_TOO_LARGE. */
export function boundMessage(message: unknown): void {
  if (Array.isArray(message)) {
    throw new ApiError('VALIDATION_ERROR', {
      message: 'The body must be one JSON-RPC message, not a list of them.',
    })
  }
  if (isLongBesidesArguments(message)) {
    throw new ApiError('PAYLOAD_TOO_LARGE', {
      message: 'A message must have at most 16 KiB besides its arguments.',
    })
  }
}

/**
 * Without recursion, since a body can be as deep as it is long; and only until it is known, since to list all that
 * is in a large object takes longer than to parse it. The names of arguments count: the library goes through them
 * all, which takes 150 ms for 100,000.
 */
function isLongBesidesArguments(message: unknown): boolean {
  const bounded: unknown = Object(Object(message).params).arguments
  const values: unknown[] = [message]
  let length = 0
  for (const value of values) {
    length += typeof value === 'string' ? value.length : 1
    if (length > LENGTH_BESIDES_ARGUMENTS_MAX) return true
    if (typeof value !== 'object' || value === null) continue
    if (Array.isArray(value) && value.length > LENGTH_BESIDES_ARGUMENTS_MAX) return true
    for (const name in value) {
      length += name.length
      if (length > LENGTH_BESIDES_ARGUMENTS_MAX) return true
      if (value !== bounded) values.push(Reflect.get(value, name))
    }
  }
  return false
}
