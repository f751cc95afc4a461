// Relations on the wire: typed, directed links between two entities.
import { type Static, Type } from 'typebox'
import { RELATION_TYPE_LENGTH_MAX } from './bounds.ts'
import { ENTITY_TYPES } from './entities.ts'
import { absentOrNull, identifier, metadata, reference } from './fields.ts'
import { listOf, pageParameters } from './page.ts'
import { Timestamp } from './timestamp.ts'

/** Besides its length. */
export const RELATION_TYPE_PATTERN = '^[A-Za-z][A-Za-z0-9_]*$'

const RelationType = Type.String({
  minLength: 1,
  maxLength: RELATION_TYPE_LENGTH_MAX,
  pattern: RELATION_TYPE_PATTERN,
  allowed: `1 to ${RELATION_TYPE_LENGTH_MAX} letters (A-Z, a-z), digits and underscores, beginning with a letter`,
  code: 'INVALID_RELATION_TYPE',
})

export const NewRelation = Type.Object({
  sourceId: reference(),
  targetId: reference(),
  type: RelationType,
  metadata: absentOrNull(metadata()),
})
export type NewRelation = Static<typeof NewRelation>

export const RelationListQuery = Type.Object({
  sourceId: Type.Optional(identifier()),
  targetId: Type.Optional(identifier()),
  type: Type.Optional(RelationType),
  ...pageParameters,
})
export type RelationListQuery = Static<typeof RelationListQuery>

/** The entity at one end of a relation. */
export const RelationEnd = Type.Object({
  id: Type.String(),
  name: Type.String(),
  type: Type.Enum(ENTITY_TYPES, { type: 'string' }),
})
export type RelationEnd = Static<typeof RelationEnd>

const shared = {
  id: Type.String(),
  sourceId: Type.String(),
  targetId: Type.String(),
  type: Type.String(),
}
const ends = { source: RelationEnd, target: RelationEnd }
const Metadata = Type.Optional(Type.Record(Type.String(), Type.Unknown()))

/** What a create answers: without the ends. */
export const CreatedRelation = Type.Object({ ...shared, metadata: Metadata, createdAt: Timestamp })
export type CreatedRelation = Static<typeof CreatedRelation>

export const Relation = Type.Object({
  ...shared,
  ...ends,
  metadata: Metadata,
  createdAt: Timestamp,
})
export type Relation = Static<typeof Relation>

/** A list item has no metadata. */
export const RelationListItem = Type.Object({ ...shared, ...ends, createdAt: Timestamp })
export type RelationListItem = Static<typeof RelationListItem>

export const RelationList = listOf(RelationListItem)
