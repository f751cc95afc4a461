// The data of one space, each call handed to the thread that answers it.
import type { EntityStore, MemoryStore, RelationStore, SpaceId, SpaceStore } from '../store.ts'
import type { Threads } from './threads.ts'

export function spaceStore(space: SpaceId, { writer, reader, searcher }: Threads): SpaceStore {
  const memories: MemoryStore = {
    insert: (memory, pieces, receipt) =>
      writer.call('insertMemory', space, memory, pieces, receipt),
    find: (id) => reader.call('findMemory', space, id),
    page: (filter, page) => reader.call('pageMemories', space, filter, page),
    search: (query, filter, cut) => searcher.call('search', space, query, filter, cut),
    remove: (id, receipt) => writer.call('removeMemory', space, id, receipt),
  }
  const entities: EntityStore = {
    insert: (entity, receipt) => writer.call('insertEntity', space, entity, receipt),
    find: (id) => reader.call('findEntity', space, id),
    page: (filter, page) => reader.call('pageEntities', space, filter, page),
    remove: (id, receipt) => writer.call('removeEntity', space, id, receipt),
  }
  const relations: RelationStore = {
    insert: (relation, receipt) => writer.call('insertRelation', space, relation, receipt),
    find: (id) => reader.call('findRelation', space, id),
    page: (filter, page) => reader.call('pageRelations', space, filter, page),
    remove: (id, receipt) => writer.call('removeRelation', space, id, receipt),
  }
  return { memories, entities, relations }
}
