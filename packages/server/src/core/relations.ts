// Creating, finding and forgetting the links between entities.
import { ApiError } from '../contract/errors.ts'
import { type Deleted, type List, toList, toPageRequest } from '../contract/page.ts'
import type {
  CreatedRelation,
  NewRelation,
  Relation,
  RelationListItem,
  RelationListQuery,
} from '../contract/relations.ts'
import type { ExpandedRelation, RelationRecord } from '../storage/records.ts'
import type { Receipt, SpaceStore } from '../storage/store.ts'
import type { Identity, Stamp } from './ids.ts'
import { metadataOf, metadataText } from './metadata.ts'
import { toTimestamp } from './timestamp.ts'

export const relations = {
  async create(space: SpaceStore, input: NewRelation, { identity, receipt }: Stamp): Promise<void> {
    const insertion = await space.relations.insert(recordOf(input, identity), receipt)
    if (insertion === 'source-missing') throw new ApiError('SOURCE_ENTITY_NOT_FOUND')
    if (insertion === 'target-missing') throw new ApiError('TARGET_ENTITY_NOT_FOUND')
  },

  async list(space: SpaceStore, query: RelationListQuery): Promise<List<RelationListItem>> {
    const request = toPageRequest(query)
    const { sourceId, targetId, type } = query
    const { items, total } = await space.relations.page({ sourceId, targetId, type }, request)
    return toList(items.map(toListItem), total, request)
  },

  async get(space: SpaceStore, id: string): Promise<Relation> {
    const record = await space.relations.find(id)
    if (record === undefined) throw new ApiError('RELATION_NOT_FOUND')
    return toRelation(record)
  },

  async delete(space: SpaceStore, id: string, receipt: Receipt): Promise<Deleted> {
    if (!(await space.relations.remove(id, receipt))) throw new ApiError('RELATION_NOT_FOUND')
    return { success: true, id }
  },
}

/** What a create answers, made from its input alone, so that a replay can make it again. */
export const createdRelation = (input: NewRelation, identity: Identity): CreatedRelation => {
  const { id, sourceId, targetId, type, metadata, createdAt } = recordOf(input, identity)
  return {
    id,
    sourceId,
    targetId,
    type,
    ...metadataOf(metadata),
    createdAt: toTimestamp(createdAt),
  }
}

const recordOf = (input: NewRelation, identity: Identity): RelationRecord => ({
  ...identity,
  sourceId: input.sourceId,
  targetId: input.targetId,
  type: input.type,
  metadata: metadataText(input.metadata),
})

const toRelation = (record: ExpandedRelation): Relation => {
  const { createdAt, ...item } = toListItem(record)
  return { ...item, ...metadataOf(record.metadata), createdAt }
}

const toListItem = (record: ExpandedRelation): RelationListItem => ({
  id: record.id,
  sourceId: record.sourceId,
  targetId: record.targetId,
  type: record.type,
  source: record.source,
  target: record.target,
  createdAt: toTimestamp(record.createdAt),
})
