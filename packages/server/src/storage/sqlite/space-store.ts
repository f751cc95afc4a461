// The data of one space, each call handed to the thread that answers it.
import type { GraphStore } from '../console-store.ts'
import type { SpaceId } from '../records.ts'
import type { EntityStore, MemoryStore, RelationStore, SpaceStore } from '../store.ts'
import type { Threads } from './threads/threads.ts'

export function spaceStore(space: SpaceId, threads: Threads): SpaceStore {
  const { writer, reader, searcher, explorer } = threads
  const memories: MemoryStore = {
    insert: (memory, pieces, receipt, generation) =>
      writer.call('insertMemory', space, memory, pieces, receipt, generation),
    find: (id) => reader.call('findMemory', space, id),
    page: (filter, page) => reader.call('pageMemories', space, filter, page),
    search: (query, filter, cut, generation) =>
      searcher.call('search', space, query, filter, cut, generation),
    expectSearch: (question, generation) =>
      searcher.tell('expectSearch', space, question, generation),
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
  const graph: GraphStore = {
    counts: () => explorer.get().call('counts', space),
    neighbourhood: (id, bounds) => explorer.get().call('neighbourhood', space, id, bounds),
    newest: (bounds) => explorer.get().call('newest', space, bounds),
    named: (text, max) => explorer.get().call('named', space, text, max),
    path: (from, to) => explorer.get().call('path', space, from, to),
    mentions: (name, page) => explorer.get().call('mentions', space, name, page),
  }
  return { spaceId: space, memories, entities, relations, graph }
}
