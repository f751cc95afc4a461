/**
 * The thirteen operations of the contract as one table: how each is called, which rate class it
 * draws on, whether the quota counts it, and what it answers. Cases that hold for every operation
 * run over this table, so that none can be forgotten.
 */
import { randomUUID } from 'node:crypto'
import type { Answer } from './answer.ts'
import type { Client } from './client.ts'
import type { ErrorCode } from './errors.ts'
import {
  type CreatedRelation,
  createdRelationOf,
  type Entity,
  entityOf,
  type Memory,
  memoryOf,
} from './records.ts'

export type RateClass = 'read' | 'write' | 'search'

export interface Operation {
  readonly id: string
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** As in the contract, with `:id` for the record's identifier. */
  readonly path: string
  readonly rateClass: RateClass
  readonly counted: boolean
  readonly success: 200 | 201
  /** For operations on one record: what a missing one answers. */
  readonly missing?: ErrorCode
}

export const defaultLimits: Readonly<Record<RateClass, number>> = {
  read: 100,
  write: 50,
  search: 30,
}

const memory = 'MEMORY_NOT_FOUND'
const entity = 'ENTITY_NOT_FOUND'
const relation = 'RELATION_NOT_FOUND'

export const operations: readonly Operation[] = [
  operation('create memory', 'POST', '/v1/memories', 'write', 'counted', 201),
  operation('search memories', 'POST', '/v1/memories/search', 'search', 'counted', 200),
  operation('list memories', 'GET', '/v1/memories', 'read', 'counted', 200),
  operation('get memory', 'GET', '/v1/memories/:id', 'read', 'counted', 200, memory),
  operation('delete memory', 'DELETE', '/v1/memories/:id', 'write', 'counted', 200, memory),
  operation('create entity', 'POST', '/v1/entities', 'write', 'counted', 201),
  operation('list entities', 'GET', '/v1/entities', 'read', 'free', 200),
  operation('get entity', 'GET', '/v1/entities/:id', 'read', 'counted', 200, entity),
  operation('delete entity', 'DELETE', '/v1/entities/:id', 'write', 'counted', 200, entity),
  operation('create relation', 'POST', '/v1/relations', 'write', 'counted', 201),
  operation('list relations', 'GET', '/v1/relations', 'read', 'free', 200),
  operation('get relation', 'GET', '/v1/relations/:id', 'read', 'counted', 200, relation),
  operation('delete relation', 'DELETE', '/v1/relations/:id', 'write', 'counted', 200, relation),
]

function operation(
  id: string,
  method: Operation['method'],
  path: string,
  rateClass: RateClass,
  quota: 'counted' | 'free',
  success: Operation['success'],
  missing?: ErrorCode,
): Operation {
  const row = { id, method, path, rateClass, counted: quota === 'counted', success }
  return missing === undefined ? row : { ...row, missing }
}

/** Records for the operations that need an existing one. */
export interface Records {
  readonly memory: Memory
  readonly source: Entity
  readonly target: Entity
  readonly relation: CreatedRelation
}

/** Creates one record of each kind: four counted operations, four writes. */
export async function createRecords(client: Client): Promise<Records> {
  const created = await client.post('/v1/memories', { content: 'A record.', userId: someUser() })
  const source = await createEntity(client, `Source ${randomUUID()}`)
  const target = await createEntity(client, `Target ${randomUUID()}`)
  const linked = await relate(client, source, 'RELATED_TO', target)
  return { memory: memoryOf(created.body), source, target, relation: linked }
}

/** A call of the operation that succeeds on the given records. */
export function callOperation(row: Operation, client: Client, records: Records): Promise<Answer> {
  const body = row.method === 'POST' ? validBody(row, records) : undefined
  const options = body === undefined ? {} : { body }
  return client.call(row.method, pathOf(row, recordId(row, records)), options)
}

export function pathOf(row: Operation, id: string): string {
  return row.path.replace(':id', id)
}

export function validBody(row: Operation, records: Pick<Records, 'source' | 'target'>): unknown {
  if (row.path === '/v1/memories/search') return { query: 'a record' }
  if (row.path === '/v1/memories') return { content: 'A record.', userId: someUser() }
  if (row.path === '/v1/entities') return { name: 'Ada Lovelace', type: 'PERSON' }
  return { sourceId: records.source.id, targetId: records.target.id, type: 'KNOWS' }
}

function recordId(row: Operation, records: Records): string {
  if (row.path.startsWith('/v1/memories')) return records.memory.id
  return row.path.startsWith('/v1/entities') ? records.source.id : records.relation.id
}

export function someUser(): string {
  return `user-${randomUUID()}`
}

export async function createMemory(
  client: Client,
  fields: Readonly<Record<string, unknown>>,
): Promise<Memory> {
  return memoryOf((await client.post('/v1/memories', fields)).body)
}

export async function createEntity(
  client: Client,
  name: string,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<Entity> {
  const body = { name, type: 'CONCEPT', ...fields }
  return entityOf((await client.post('/v1/entities', body)).body)
}

export async function relate(
  client: Client,
  source: { readonly id: string },
  type: string,
  target: { readonly id: string },
): Promise<CreatedRelation> {
  const body = { sourceId: source.id, targetId: target.id, type }
  return createdRelationOf((await client.post('/v1/relations', body)).body)
}
