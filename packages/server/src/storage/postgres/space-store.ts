// The data of one space: each of its transactions sees that space, and nothing of others.
import type { SpaceId } from '../records.ts'
import type { SpaceStore } from '../store.ts'
import type { Database } from './connection/database.ts'
import { entityStore } from './entities.ts'
import { graphStore } from './graph.ts'
import { type MemoryTools, memoryStore } from './memories.ts'
import { relationStore } from './relations.ts'

export const spaceStore = (
  database: Database,
  tools: MemoryTools,
  space: SpaceId,
  left?: AbortSignal,
): SpaceStore => {
  const snapshot = database.snapshotsOf(space, left)
  return {
    spaceId: space,
    left,
    memories: memoryStore(database, tools, space, snapshot),
    entities: entityStore(database, tools.rowCounts, space, snapshot),
    relations: relationStore(database, tools.rowCounts, space, snapshot),
    graph: graphStore(tools.rowCounts, space, snapshot),
  }
}
