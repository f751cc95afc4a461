// Questions over the graph of a space.
import type { GraphStore } from '../console-store.ts'
import type { SpaceId } from '../store.ts'
import type { Database } from './database.ts'

export function graphStore(_database: Database, _space: SpaceId): GraphStore {
  throw new Error('to be written')
}
