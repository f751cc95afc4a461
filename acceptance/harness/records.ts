/**
 * The shapes of the contract, written a second time and by hand: closed schemas for each record
 * in each of its forms, independent of the document that the server generates from its own code.
 */
import Type, { type Static, type TSchema } from 'typebox'
import { read } from './read.ts'

const Timestamp = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' })
const MemoryId = Type.String({ pattern: '^mem_[A-Za-z0-9_-]{10,}$' })
const EntityId = Type.String({ pattern: '^ent_[A-Za-z0-9_-]{10,}$' })
const RelationId = Type.String({ pattern: '^rel_[A-Za-z0-9_-]{10,}$' })
const Metadata = Type.Record(Type.String(), Type.Unknown())
const closed = { additionalProperties: false }

export const entityTypes = [
  'PERSON',
  'ORGANIZATION',
  'LOCATION',
  'PRODUCT',
  'EVENT',
  'CONCEPT',
  'OTHER',
] as const
const EntityType = Type.Enum([...entityTypes])

const memoryText = {
  id: MemoryId,
  content: Type.String(),
  userId: Type.String(),
  agentId: Type.Optional(Type.String()),
  tags: Type.Array(Type.String()),
  createdAt: Timestamp,
}
const MemoryListItem = Type.Object({ ...memoryText, updatedAt: Timestamp }, closed)
const Memory = Type.Object(
  { ...memoryText, metadata: Type.Optional(Metadata), updatedAt: Timestamp },
  closed,
)
const SearchResult = Type.Object(
  { ...memoryText, score: Type.Number({ minimum: 0, maximum: 1 }) },
  closed,
)
const SearchResults = Type.Object({ results: Type.Array(SearchResult) }, closed)

const entityText = {
  id: EntityId,
  name: Type.String(),
  type: EntityType,
  description: Type.Optional(Type.String()),
  createdAt: Timestamp,
  updatedAt: Timestamp,
}
const EntityListItem = Type.Object(entityText, closed)
const Entity = Type.Object({ ...entityText, metadata: Type.Optional(Metadata) }, closed)

const link = {
  id: RelationId,
  sourceId: EntityId,
  targetId: EntityId,
  type: Type.String(),
  createdAt: Timestamp,
}
const End = Type.Object({ id: EntityId, name: Type.String(), type: EntityType }, closed)
const RelationListItem = Type.Object({ ...link, source: End, target: End }, closed)
const CreatedRelation = Type.Object({ ...link, metadata: Type.Optional(Metadata) }, closed)
const Relation = Type.Object(
  { ...link, source: End, target: End, metadata: Type.Optional(Metadata) },
  closed,
)

const Deletion = Type.Object({ success: Type.Literal(true), id: Type.String() }, closed)

export type Memory = Static<typeof Memory>
type MemoryListItem = Static<typeof MemoryListItem>
export type SearchResult = Static<typeof SearchResult>
export type Entity = Static<typeof Entity>
type EntityListItem = Static<typeof EntityListItem>
export type CreatedRelation = Static<typeof CreatedRelation>
type Relation = Static<typeof Relation>
type RelationListItem = Static<typeof RelationListItem>

export interface Page<Item> {
  readonly items: Item[]
  readonly pagination: { page: number; limit: number; total: number; totalPages: number }
}

export const memoryOf = (body: unknown): Memory => read(Memory, body)
export const searchResultsOf = (body: unknown): SearchResult[] => read(SearchResults, body).results
export const entityOf = (body: unknown): Entity => read(Entity, body)
export const createdRelationOf = (body: unknown): CreatedRelation => read(CreatedRelation, body)
export const relationOf = (body: unknown): Relation => read(Relation, body)
export const deletionOf = (body: unknown): Static<typeof Deletion> => read(Deletion, body)

export const memoryPageOf = (body: unknown): Page<MemoryListItem> =>
  read(pageSchema(MemoryListItem), body)
export const entityPageOf = (body: unknown): Page<EntityListItem> =>
  read(pageSchema(EntityListItem), body)
export const relationPageOf = (body: unknown): Page<RelationListItem> =>
  read(pageSchema(RelationListItem), body)

function pageSchema<Item extends TSchema>(item: Item) {
  const count = Type.Integer({ minimum: 0 })
  const pagination = Type.Object(
    {
      page: Type.Integer({ minimum: 1 }),
      limit: Type.Integer({ minimum: 1, maximum: 100 }),
      total: count,
      totalPages: count,
    },
    closed,
  )
  return Type.Object({ items: Type.Array(item), pagination }, closed)
}
