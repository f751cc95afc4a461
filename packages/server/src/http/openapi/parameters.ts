// The parameters of an operation: the id in its path, its query, and the header of the creates.
import { IDEMPOTENCY_KEY_LENGTH_MAX } from '../../contract/bounds.ts'
import { OPERATIONS, type OperationId } from '../../contract/operations.ts'
import { EXCHANGES } from './examples.ts'
import { describedField } from './schemas.ts'
import { SHAPES } from './shapes.ts'
import type { Parameter } from './types.ts'

export function parametersOf(id: OperationId): Parameter[] {
  const { path, errors } = OPERATIONS[id]
  const [example] = EXCHANGES[id]
  return [
    ...(path.endsWith('/:id') ? [pathId(example.id)] : []),
    ...queryParameters(id),
    ...(errors.includes('IDEMPOTENCY_KEY_REUSED') ? [IDEMPOTENCY_KEY] : []),
  ]
}

const pathId = (example = ''): Parameter => ({
  name: 'id',
  in: 'path',
  required: true,
  description: 'The id of the record. One that cannot exist is not found, like any other.',
  schema: { type: 'string' },
  example,
})

function queryParameters(id: OperationId): Parameter[] {
  const [example] = EXCHANGES[id]
  return Object.entries(SHAPES[id].query?.properties ?? {}).map(([name, source]) => {
    const { description = '', ...schema } = describedField(id, name, source)
    const value = example.query?.[name]
    return {
      name,
      in: 'query',
      required: false,
      description,
      schema,
      ...(value === undefined ? {} : { example: value }),
    }
  })
}

const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes the request repeatable for 24 hours: the same key with the same fields, in whatever order but ' +
    'with the keys of `metadata` in theirs, answers what the first request answered and creates nothing ' +
    'again. The repetition draws on the ' +
    'rate limit, not on the quota. An error is not remembered: try again with the same key. Must be 1 to ' +
    `${IDEMPOTENCY_KEY_LENGTH_MAX} visible ASCII characters; a random UUID does well.`,
  schema: {
    type: 'string',
    minLength: 1,
    maxLength: IDEMPOTENCY_KEY_LENGTH_MAX,
    pattern: '^[!-~]+$',
  },
}
