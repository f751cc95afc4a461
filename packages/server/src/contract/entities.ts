// Entities on the wire: the named things of the knowledge graph.
import { type Static, Type } from 'typebox'
import { DESCRIPTION_LENGTH_MAX, NAME_LENGTH_MAX } from './bounds.ts'
import { absentOrNull, anyText, meaningfulText, metadata } from './fields.ts'
import { listOf, pageParameters } from './page.ts'
import { Timestamp } from './timestamp.ts'

export const ENTITY_TYPES = [
  'PERSON',
  'ORGANIZATION',
  'LOCATION',
  'PRODUCT',
  'EVENT',
  'CONCEPT',
  'OTHER',
] as const

export const EntityType = Type.Enum(ENTITY_TYPES, {
  type: 'string',
  allowed: `one of ${ENTITY_TYPES.slice(0, -1).join(', ')} and ${ENTITY_TYPES.at(-1)}`,
  code: 'INVALID_ENTITY_TYPE',
})
export type EntityType = (typeof ENTITY_TYPES)[number]

export const NewEntity = Type.Object({
  name: meaningfulText(NAME_LENGTH_MAX, { code: 'NAME_REQUIRED' }),
  type: EntityType,
  description: absentOrNull(anyText(DESCRIPTION_LENGTH_MAX)),
  metadata: absentOrNull(metadata()),
})
export type NewEntity = Static<typeof NewEntity>

export const EntityListQuery = Type.Object({
  type: Type.Optional(EntityType),
  search: Type.Optional(anyText(NAME_LENGTH_MAX)),
  ...pageParameters,
})
export type EntityListQuery = Static<typeof EntityListQuery>

const shared = {
  id: Type.String(),
  name: Type.String(),
  type: Type.Enum(ENTITY_TYPES, { type: 'string' }),
  description: Type.Optional(Type.String()),
}

export const Entity = Type.Object({
  ...shared,
  metadata: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type Entity = Static<typeof Entity>

/** A list item has no metadata. */
export const EntityListItem = Type.Object({ ...shared, createdAt: Timestamp, updatedAt: Timestamp })
export type EntityListItem = Static<typeof EntityListItem>

export const EntityList = listOf(EntityListItem)
