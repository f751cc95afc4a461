// The data of one space, each call handed to the thread that answers it. What looks at many rows waits for the
// turn of its space, so that one key's many questions do not hold up another's.
import type { GraphStore } from '../console-store.ts'
import type { LongReads } from '../long-reads.ts'
import type { SpaceId } from '../records.ts'
import type { EntityStore, MemoryStore, RelationStore, SpaceStore } from '../store.ts'
import type { Threads } from './threads/threads.ts'

export function spaceStore(
  space: SpaceId,
  threads: Threads,
  longReads: LongReads,
  left?: AbortSignal,
): SpaceStore {
  const { writer, reader, searcher, explorer } = threads
  const explore = <Result>(
    ask: (thread: ReturnType<typeof explorer.get>) => Promise<Result>,
  ): Promise<Result> => longReads.run(space, () => ask(explorer.get()), left)
  const memories: MemoryStore = {
    insert: (memory, pieces, receipt, generation) =>
      writer.call('insertMemory', space, memory, pieces, receipt, generation),
    find: (id) => reader.call('findMemory', space, id),
    page: async (filter, page) =>
      (await reader.call('pageMemoriesIfShort', space, filter, page)) ??
      explore((thread) => thread.call('pageMemories', space, filter, page)),
    search: (query, filter, cut, generation) =>
      searcher.callUntil(left, 'search', space, query, filter, cut, generation),
    expectSearch: (question, generation) =>
      searcher.tell('expectSearch', space, question, generation),
    remove: (id, receipt) => writer.call('removeMemory', space, id, receipt),
  }
  const entities: EntityStore = {
    insert: (entity, receipt) => writer.call('insertEntity', space, entity, receipt),
    find: (id) => reader.call('findEntity', space, id),
    page: async (filter, page) =>
      (await reader.call('pageEntitiesIfShort', space, filter, page)) ??
      explore((thread) => thread.call('pageEntities', space, filter, page)),
    remove: (id, receipt) => writer.call('removeEntity', space, id, receipt),
  }
  const relations: RelationStore = {
    insert: (relation, receipt) => writer.call('insertRelation', space, relation, receipt),
    find: (id) => reader.call('findRelation', space, id),
    page: async (filter, page) =>
      (await reader.call('pageRelationsIfShort', space, filter, page)) ??
      explore((thread) => thread.call('pageRelations', space, filter, page)),
    remove: (id, receipt) => writer.call('removeRelation', space, id, receipt),
  }
  const graph: GraphStore = {
    counts: () => explore((thread) => thread.call('counts', space)),
    neighbourhood: (id, bounds) =>
      explore((thread) => thread.call('neighbourhood', space, id, bounds)),
    newest: (bounds) => explore((thread) => thread.call('newest', space, bounds)),
    named: (text, max) => explore((thread) => thread.call('named', space, text, max)),
    path: (from, to) => explore((thread) => thread.call('path', space, from, to)),
    mentions: (name, page) => explore((thread) => thread.call('mentions', space, name, page)),
  }
  return { spaceId: space, left, memories, entities, relations, graph }
}
