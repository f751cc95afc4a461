// Which errors each operation can answer, and what each error looks like. An error has a schema of
// its own, so that the fields besides code and message are promised exactly where they occur.
import { ERROR_CODES, ERRORS, type ErrorCode } from '../../contract/errors.ts'
import { OPERATIONS, type OperationId } from '../../contract/operations.ts'
import { SHAPES } from './shapes.ts'
import type { Schema } from './types.ts'

/** What can happen to every request, whatever it asks for. */
const ALWAYS: readonly ErrorCode[] = [
  'BAD_REQUEST',
  'UNAUTHORIZED',
  'INVALID_API_KEY',
  'API_KEY_REVOKED',
  'REQUEST_TIMEOUT',
  'RATE_LIMIT_EXCEEDED',
  'HEADERS_TOO_LARGE',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
  'STORAGE_FULL',
]

/** What no operation answers: these come from paths and methods that the document does not have. */
export const OUTSIDE_OPERATIONS: readonly ErrorCode[] = ['NOT_FOUND', 'METHOD_NOT_ALLOWED']

/** Every error of the operation, in the catalogue's order. */
export function errorsOf(id: OperationId): ErrorCode[] {
  const { counted, errors } = OPERATIONS[id]
  const { body, query } = SHAPES[id]
  const possible = new Set<ErrorCode>([...ALWAYS, ...errors])
  if (body ?? query) possible.add('VALIDATION_ERROR')
  if (body) possible.add('PAYLOAD_TOO_LARGE').add('UNSUPPORTED_MEDIA_TYPE')
  if (counted) possible.add('QUOTA_EXCEEDED')
  return ERROR_CODES.filter((code) => possible.has(code))
}

/** `CONTENT_TOO_LONG` → `ContentTooLongError`. */
export function errorName(code: ErrorCode): string {
  const words = code.toLowerCase().split('_')
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  return name.endsWith('Error') ? name : `${name}Error`
}

const EXTRA_FIELDS: Partial<
  Record<ErrorCode, { required: boolean; fields: Record<string, Schema> }>
> = {
  VALIDATION_ERROR: {
    required: false,
    fields: {
      field: {
        description:
          'The field or parameter that is wrong, by its name at the top level. Absent when the ' +
          'body is not a JSON object.',
        type: 'string',
      },
    },
  },
  RATE_LIMIT_EXCEEDED: {
    required: true,
    fields: {
      retryAfter: {
        description: 'Seconds to wait. The same number as in Retry-After.',
        type: 'integer',
        minimum: 1,
      },
    },
  },
  QUOTA_EXCEEDED: {
    required: true,
    fields: {
      currentUsage: {
        description: 'Operations of this month.',
        type: 'integer',
        minimum: 0,
      },
      limit: { description: 'Operations that the plan allows.', type: 'integer', minimum: 0 },
      resetAt: {
        description: 'When the next month begins, in UTC.',
        type: 'string',
        format: 'date-time',
      },
    },
  },
}

export function errorSchemas(): Record<string, Schema> {
  return Object.fromEntries(ERROR_CODES.map((code) => [errorName(code), errorSchema(code)]))
}

function errorSchema(code: ErrorCode): Schema {
  const { required, fields } = EXTRA_FIELDS[code] ?? { required: false, fields: {} }
  return {
    description: `Status ${ERRORS[code].status}. ${ERRORS[code].message}`,
    type: 'object',
    required: ['error'],
    additionalProperties: false,
    properties: {
      error: {
        type: 'object',
        required: ['code', 'message', ...(required ? Object.keys(fields) : [])],
        additionalProperties: false,
        properties: {
          code: { type: 'string', const: code },
          message: { description: 'For people. Its wording may change.', type: 'string' },
          ...fields,
        },
      },
    },
  }
}
