// The responses of an operation: its success, and one for each status that an error can have.
import { ERRORS, type ErrorCode } from '../../contract/errors.ts'
import { OPERATIONS, type OperationId } from '../../contract/operations.ts'
import { errorName, errorsOf, OUTSIDE_OPERATIONS } from './errors.ts'
import { EXCHANGES } from './examples.ts'
import { headersOf } from './headers.ts'
import { LINKS } from './links.ts'
import { schemaRef } from './published-schema.ts'
import { refusalAnswer } from './refusals.ts'
import { SHAPES } from './shapes.ts'
import type { Example, Json, Response } from './types.ts'

export function responsesOf(id: OperationId): Record<string, Response> {
  const { successStatus } = OPERATIONS[id]
  const byStatus = Map.groupBy(errorsOf(id), (code) => ERRORS[code].status)
  const errors = [...byStatus].sort(([one], [other]) => one - other)
  return {
    [successStatus]: success(id, successStatus),
    ...Object.fromEntries(
      errors.map(([status, codes]) => [status, failure(status, codes, (code) => sample(code, id))]),
    ),
  }
}

/** What paths and methods that the document does not have answer. */
export const outsideResponses = (): Record<string, Response> =>
  Object.fromEntries(
    OUTSIDE_OPERATIONS.map((code) => [
      errorName(code),
      failure(ERRORS[code].status, [code], (one) => sample(one)),
    ]),
  )

function success(id: OperationId, status: number): Response {
  const links = LINKS[id]
  return {
    description: status === 201 ? 'Created.' : 'Done.',
    headers: headersOf(status),
    content: {
      'application/json': {
        schema: schemaRef(SHAPES[id].answer),
        examples: Object.fromEntries(
          EXCHANGES[id].map(({ name, summary, answer }) => [name, { summary, value: answer }]),
        ),
      },
    },
    ...(links && { links }),
  }
}

function failure(
  status: number,
  codes: readonly ErrorCode[],
  sampleOf: (code: ErrorCode) => Example,
): Response {
  const [first, ...others] = codes.map((code) => schemaRef(errorName(code)))
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].message}`).join('\n\n'),
    headers: headersOf(status),
    content: {
      'application/json': {
        schema:
          first !== undefined && others.length > 0 ? { oneOf: [first, ...others] } : { ...first },
        examples: Object.fromEntries(codes.map((code) => [code, sampleOf(code)])),
      },
    },
  }
}

const EXTRA: Partial<Record<ErrorCode, Readonly<Record<string, Json>>>> = {
  RATE_LIMIT_EXCEEDED: {
    message: 'Too many requests. Wait 12 s before the next one.',
    retryAfter: 12,
  },
  QUOTA_EXCEEDED: { currentUsage: 1000, limit: 1000, resetAt: '2026-12-01T00:00:00.000Z' },
}

function sample(code: ErrorCode, id?: OperationId): Example {
  const refused = id === undefined ? undefined : refusalAnswer(id, code)
  const value = refused ?? { error: { code, message: ERRORS[code].message, ...EXTRA[code] } }
  return { summary: code, value }
}
