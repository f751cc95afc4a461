// A request that meets each error of validation, per operation. The document shows what it answers;
// a test sends it and compares.
import type { TObject, TSchema } from 'typebox'
import { ERRORS, type ErrorCode } from '../../contract/errors.ts'
import type { FieldRule } from '../../contract/fields.ts'
import type { OperationId } from '../../contract/operations.ts'
import { REQUEST_BODIES, SHAPES } from './shapes.ts'
import type { Json } from './types.ts'

type Refusal = { code: ErrorCode; field: string; value: Json }

const tooManyItems: Refusal = { code: 'VALIDATION_ERROR', field: 'limit', value: 500 }

export const REFUSALS: Readonly<Partial<Record<OperationId, readonly Refusal[]>>> = {
  'memories.create': [
    { code: 'VALIDATION_ERROR', field: 'tags', value: 'travel' },
    { code: 'CONTENT_TOO_LONG', field: 'content', value: 'la '.repeat(3_334) },
    { code: 'INVALID_USER_ID', field: 'userId', value: '' },
  ],
  'memories.search': [{ code: 'VALIDATION_ERROR', field: 'threshold', value: 1.5 }],
  'memories.list': [tooManyItems],
  'entities.create': [
    { code: 'VALIDATION_ERROR', field: 'metadata', value: [1, 2] },
    { code: 'INVALID_ENTITY_TYPE', field: 'type', value: 'ROBOT' },
    { code: 'NAME_REQUIRED', field: 'name', value: ' ' },
  ],
  'entities.list': [tooManyItems, { code: 'INVALID_ENTITY_TYPE', field: 'type', value: 'ROBOT' }],
  'relations.create': [
    { code: 'VALIDATION_ERROR', field: 'sourceId', value: null },
    { code: 'INVALID_RELATION_TYPE', field: 'type', value: 'works for' },
  ],
  'relations.list': [
    tooManyItems,
    { code: 'INVALID_RELATION_TYPE', field: 'type', value: 'works for' },
  ],
}

/** The body of the error, or undefined when the operation has no such refusal. */
export function refusalAnswer(id: OperationId, code: ErrorCode): Json | undefined {
  const refusal = REFUSALS[id]?.find((one) => one.code === code)
  if (refusal === undefined) return undefined
  const { body, query } = SHAPES[id]
  const schema: TObject | undefined = body === undefined ? query : REQUEST_BODIES[body]
  const rule: (TSchema & Partial<FieldRule>) | undefined = schema?.properties[refusal.field]
  const message =
    rule?.tooLongCode === code ? ERRORS[code].message : `${refusal.field} must be ${rule?.allowed}.`
  const field = code === 'VALIDATION_ERROR' ? { field: refusal.field } : {}
  return { error: { code, message, ...field } }
}
