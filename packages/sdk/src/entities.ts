// Entities: the named things of the graph. The types are those of the service, which a test compares.
import type { PageRequest } from './page.ts'
import { type Description, Records } from './records.ts'
import type { Send } from './send.ts'

export type EntityType =
  | 'PERSON'
  | 'ORGANIZATION'
  | 'LOCATION'
  | 'PRODUCT'
  | 'EVENT'
  | 'CONCEPT'
  | 'OTHER'

export type NewEntity = {
  name: string
  type: EntityType
  description?: string | null
  metadata?: Record<string, unknown> | null
}

export type EntityListItem = {
  id: string
  name: string
  type: EntityType
  description?: string
  createdAt: string
  updatedAt: string
}

export type Entity = EntityListItem & { metadata?: Record<string, unknown> }

export type EntityFilter = {
  type?: EntityType
  /** A part of the name, whatever its case and accents. */
  search?: string
}
export type EntityListQuery = EntityFilter & PageRequest

type OfEntities = {
  new: NewEntity
  created: Entity
  record: Entity
  item: EntityListItem
  filter: EntityFilter
}

const ENTITIES: Description<OfEntities> = {
  path: '/v1/entities',
  gone: 'ENTITY_NOT_FOUND',
  required: ['name', 'type'],
  filters: { type: true, search: true },
}

export class Entities extends Records<OfEntities> {
  constructor(send: Send) {
    super(send, ENTITIES)
  }
}
