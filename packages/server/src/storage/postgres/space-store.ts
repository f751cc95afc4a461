// The data of one space.
import type { SpaceId, SpaceStore } from '../store.ts'
import type { Database } from './database.ts'
import { entityStore } from './entities.ts'
import { graphStore } from './graph.ts'
import { memoryStore } from './memories.ts'
import { relationStore } from './relations.ts'
import type { Upkeep } from './upkeep.ts'

export const spaceStore = (database: Database, upkeep: Upkeep, space: SpaceId): SpaceStore => ({
  memories: memoryStore(database, upkeep, space),
  entities: entityStore(database, space),
  relations: relationStore(database, space),
  graph: graphStore(database, space),
})
