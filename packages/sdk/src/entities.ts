// Entities: the named things of the graph. The types are those of the service, which a test compares.
import type { PageRequest } from './page.ts'
import { Records } from './records.ts'
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

export class Entities extends Records<{
  new: NewEntity
  created: Entity
  record: Entity
  item: EntityListItem
  filter: EntityFilter
}> {
  constructor(send: Send) {
    super(send, '/v1/entities', 'ENTITY_NOT_FOUND')
  }
}
