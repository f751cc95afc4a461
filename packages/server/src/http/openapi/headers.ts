// The headers of the responses, and on which of them each is.
import type { Header, Reference } from './types.ts'

const count = { type: 'integer', minimum: 0 }

export const HEADERS: Record<string, Header> = {
  'X-Request-Id': {
    description: 'The id of the request, made by the server. Quote it when you report a problem.',
    required: true,
    schema: { type: 'string', format: 'uuid' },
  },
  'X-RateLimit-Limit': {
    description:
      'Requests that the window allows; 1000000000 where the key has no limit. Without a valid key, the ' +
      'numbers are those of failed authentications from your address.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
  'X-RateLimit-Remaining': {
    description: 'Requests that are left in the window.',
    required: true,
    schema: count,
  },
  'X-RateLimit-Reset': {
    description: 'When the window ends, in Unix seconds.',
    required: true,
    schema: count,
  },
  'X-Quota-Limit': {
    description: 'Operations that the plan allows in a month. Absent when it is unlimited.',
    schema: count,
  },
  'X-Quota-Used': {
    description: 'Operations of this month, the one that is answered included.',
    required: true,
    schema: count,
  },
  'X-Quota-Reset': {
    description: 'When the next month begins, in UTC.',
    required: true,
    schema: { type: 'string', format: 'date-time' },
  },
  'Retry-After': {
    description: 'Seconds to wait before the next request.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
  'WWW-Authenticate': {
    description: 'How to authenticate.',
    required: true,
    schema: { type: 'string', const: 'Bearer' },
  },
  Allow: {
    description: 'The methods that the path supports.',
    required: true,
    schema: { type: 'string' },
  },
}

const QUOTA = ['X-Quota-Limit', 'X-Quota-Used', 'X-Quota-Reset']
/** Answers that can be given before it is known whose key it is, if it is one. */
const SOMETIMES_ANONYMOUS = new Set([400, 429, 500, 503, 507])
const ALWAYS_ANONYMOUS = new Set([401, 408, 431])
const SPECIAL: Partial<Record<number, string>> = {
  401: 'WWW-Authenticate',
  405: 'Allow',
  429: 'Retry-After',
  503: 'Retry-After',
}

export function headersOf(status: number): Record<string, Header | Reference> {
  const reference = (name: string) => [name, { $ref: `#/components/headers/${name}` }] as const
  const special = SPECIAL[status]
  return Object.fromEntries([
    reference('X-Request-Id'),
    reference('X-RateLimit-Limit'),
    reference('X-RateLimit-Remaining'),
    reference('X-RateLimit-Reset'),
    ...(ALWAYS_ANONYMOUS.has(status) ? [] : QUOTA.map((name) => [name, quotaHeader(name, status)])),
    ...(special === undefined ? [] : [reference(special)]),
  ])
}

function quotaHeader(name: string, status: number): Header | Reference {
  const header = HEADERS[name]
  const required = status === 403 || (!SOMETIMES_ANONYMOUS.has(status) && header?.required === true)
  if (header === undefined || required === (header.required === true)) {
    return { $ref: `#/components/headers/${name}` }
  }
  return { ...header, required }
}
