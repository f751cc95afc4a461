// Relations: typed links from one entity to another. The types are those of the service, which a test
// compares.
import type { EntityType } from './entities.ts'
import type { PageRequest } from './page.ts'
import { type Description, Records } from './records.ts'
import type { Send } from './send.ts'

export type NewRelation = {
  sourceId: string
  targetId: string
  /** Such as WORKS_FOR: letters, digits and underscores. */
  type: string
  metadata?: Record<string, unknown> | null
}

/** The entity at one end. */
export type RelationEnd = { id: string; name: string; type: EntityType }

type Link = {
  id: string
  sourceId: string
  targetId: string
  type: string
  createdAt: string
}

/** What a create answers: without the ends. */
export type CreatedRelation = Link & { metadata?: Record<string, unknown> }
export type RelationListItem = Link & { source: RelationEnd; target: RelationEnd }
export type Relation = RelationListItem & { metadata?: Record<string, unknown> }

export type RelationFilter = { sourceId?: string; targetId?: string; type?: string }
export type RelationListQuery = RelationFilter & PageRequest

type OfRelations = {
  new: NewRelation
  created: CreatedRelation
  record: Relation
  item: RelationListItem
  filter: RelationFilter
}

const RELATIONS: Description<OfRelations> = {
  path: '/v1/relations',
  gone: 'RELATION_NOT_FOUND',
  required: ['sourceId', 'targetId', 'type'],
  filters: { sourceId: true, targetId: true, type: true },
}

export class Relations extends Records<OfRelations> {
  constructor(send: Send) {
    super(send, RELATIONS)
  }
}
