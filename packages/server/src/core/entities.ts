// Creating, finding and forgetting the named things of the knowledge graph.
import type { Entity, EntityListItem, EntityListQuery, NewEntity } from '../contract/entities.ts'
import { ApiError } from '../contract/errors.ts'
import { type Deleted, type List, toList, toPageRequest } from '../contract/page.ts'
import type { EntityRecord } from '../storage/records.ts'
import type { Receipt, SpaceStore } from '../storage/store.ts'
import type { Identity, Stamp } from './ids.ts'
import { metadataOf, metadataText } from './metadata.ts'
import { toTimestamp } from './timestamp.ts'

export const entities = {
  async create(space: SpaceStore, input: NewEntity, { identity, receipt }: Stamp): Promise<void> {
    await space.entities.insert(recordOf(input, identity), receipt)
  },

  async list(space: SpaceStore, query: EntityListQuery): Promise<List<EntityListItem>> {
    const request = toPageRequest(query)
    const { type, search } = query
    const { items, total } = await space.entities.page({ type, search }, request)
    return toList(items.map(toListItem), total, request)
  },

  async get(space: SpaceStore, id: string): Promise<Entity> {
    const record = await space.entities.find(id)
    if (record === undefined) throw new ApiError('ENTITY_NOT_FOUND')
    return toEntity(record)
  },

  async delete(space: SpaceStore, id: string, receipt: Receipt): Promise<Deleted> {
    if (!(await space.entities.remove(id, receipt))) throw new ApiError('ENTITY_NOT_FOUND')
    return { success: true, id }
  },
}

/** What a create answers, made from its input alone, so that a replay can make it again. */
export const createdEntity = (input: NewEntity, identity: Identity): Entity =>
  toEntity(recordOf(input, identity))

const recordOf = (input: NewEntity, identity: Identity): EntityRecord => ({
  ...identity,
  name: input.name,
  type: input.type,
  description: input.description ?? undefined,
  metadata: metadataText(input.metadata),
})

const toEntity = (record: EntityRecord): Entity => {
  const { createdAt, updatedAt, ...item } = toListItem(record)
  return { ...item, ...metadataOf(record.metadata), createdAt, updatedAt }
}

const toListItem = (record: EntityRecord): EntityListItem => ({
  id: record.id,
  name: record.name,
  type: record.type,
  ...(record.description === undefined ? {} : { description: record.description }),
  createdAt: toTimestamp(record.createdAt),
  updatedAt: toTimestamp(record.createdAt),
})
