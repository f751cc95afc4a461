// The thirteen operations of the contract, once. Routing, rate classes, quota, operation ids and
// the OpenAPI document all come from this table, and tests hold each of them against it.
// decisions/2026-11-21-rate-limit-windows.md, decisions/2026-11-21-quota-counting.md
import type { ErrorCode } from './errors.ts'

/** Every path of the contract begins with it. */
export const VERSION_PREFIX = '/v1'

export type RateClass = 'read' | 'write' | 'search'
/** The lines of an import have no limit a minute, and draw on none of the others. */
export type AdmissionClass = RateClass | 'import'

type Operation = {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly rateClass: RateClass
  /** Whether a success draws on the monthly quota. */
  readonly counted: boolean
  readonly successStatus: 200 | 201
  readonly summary: string
  /** The errors that only this kind of operation has; those that all share are not repeated. */
  readonly errors: readonly ErrorCode[]
}

const TABLE = {
  'memories.create': {
    method: 'POST',
    path: '/v1/memories',
    rateClass: 'write',
    counted: true,
    successStatus: 201,
    summary: 'Create memory',
    errors: ['CONTENT_TOO_LONG', 'INVALID_USER_ID', 'IDEMPOTENCY_KEY_REUSED'],
  },
  'memories.search': {
    method: 'POST',
    path: '/v1/memories/search',
    rateClass: 'search',
    counted: true,
    successStatus: 200,
    summary: 'Search memories',
    errors: [],
  },
  'memories.list': {
    method: 'GET',
    path: '/v1/memories',
    rateClass: 'read',
    counted: true,
    successStatus: 200,
    summary: 'List memories',
    errors: [],
  },
  'memories.get': {
    method: 'GET',
    path: '/v1/memories/:id',
    rateClass: 'read',
    counted: true,
    successStatus: 200,
    summary: 'Get memory',
    errors: ['MEMORY_NOT_FOUND'],
  },
  'memories.delete': {
    method: 'DELETE',
    path: '/v1/memories/:id',
    rateClass: 'write',
    counted: true,
    successStatus: 200,
    summary: 'Delete memory',
    errors: ['MEMORY_NOT_FOUND'],
  },
  'entities.create': {
    method: 'POST',
    path: '/v1/entities',
    rateClass: 'write',
    counted: true,
    successStatus: 201,
    summary: 'Create entity',
    errors: ['NAME_REQUIRED', 'INVALID_ENTITY_TYPE', 'IDEMPOTENCY_KEY_REUSED'],
  },
  'entities.list': {
    method: 'GET',
    path: '/v1/entities',
    rateClass: 'read',
    counted: false,
    successStatus: 200,
    summary: 'List entities',
    errors: ['INVALID_ENTITY_TYPE'],
  },
  'entities.get': {
    method: 'GET',
    path: '/v1/entities/:id',
    rateClass: 'read',
    counted: true,
    successStatus: 200,
    summary: 'Get entity',
    errors: ['ENTITY_NOT_FOUND'],
  },
  'entities.delete': {
    method: 'DELETE',
    path: '/v1/entities/:id',
    rateClass: 'write',
    counted: true,
    successStatus: 200,
    summary: 'Delete entity',
    errors: ['ENTITY_NOT_FOUND'],
  },
  'relations.create': {
    method: 'POST',
    path: '/v1/relations',
    rateClass: 'write',
    counted: true,
    successStatus: 201,
    summary: 'Create relation',
    errors: [
      'INVALID_RELATION_TYPE',
      'SOURCE_ENTITY_NOT_FOUND',
      'TARGET_ENTITY_NOT_FOUND',
      'IDEMPOTENCY_KEY_REUSED',
    ],
  },
  'relations.list': {
    method: 'GET',
    path: '/v1/relations',
    rateClass: 'read',
    counted: false,
    successStatus: 200,
    summary: 'List relations',
    errors: ['INVALID_RELATION_TYPE'],
  },
  'relations.get': {
    method: 'GET',
    path: '/v1/relations/:id',
    rateClass: 'read',
    counted: true,
    successStatus: 200,
    summary: 'Get relation',
    errors: ['RELATION_NOT_FOUND'],
  },
  'relations.delete': {
    method: 'DELETE',
    path: '/v1/relations/:id',
    rateClass: 'write',
    counted: true,
    successStatus: 200,
    summary: 'Delete relation',
    errors: ['RELATION_NOT_FOUND'],
  },
} as const satisfies Record<string, Operation>

export type OperationId = keyof typeof TABLE
export const OPERATIONS: Readonly<Record<OperationId, Operation>> = TABLE
export const OPERATION_IDS: readonly OperationId[] = Object.keys(TABLE).filter(isOperationId)

function isOperationId(name: string): name is OperationId {
  return name in TABLE
}

/** The class of a request that no operation answers: an unknown path or a wrong method. */
export function rateClassOfMethod(method: string): RateClass {
  return method === 'GET' || method === 'HEAD' ? 'read' : 'write'
}
