// The searcher's own code on its own connection, without threads. It takes no lock on the folder, so that a
// server may run on it at the same time. It imports inner parts of the embedded store, which no other row
// does.
import type { SearchQuery } from '../../packages/server/src/retrieval/evidence.ts'
import type { ScoredMemory } from '../../packages/server/src/storage/records.ts'
import { databaseFile } from '../../packages/server/src/storage/sqlite/opening/data-folder.ts'
import { openDatabase } from '../../packages/server/src/storage/sqlite/opening/open-database.ts'
import { generationReads } from '../../packages/server/src/storage/sqlite/reembedding/generations.ts'
import { searches } from '../../packages/server/src/storage/sqlite/searches.ts'
import type { MemoryFilter } from '../../packages/server/src/storage/store.ts'
import type { FilledFolder } from '../data/filled-store.ts'

/** The contract's defaults. */
export const CUT = { limit: 10, threshold: 0.5 }

export function openDirect({ directory, tenants }: FilledFolder) {
  const db = openDatabase(databaseFile(directory))
  const { search, close } = searches(db)
  const generation = generationReads(db).place('current')?.number ?? 0
  return {
    search(query: SearchQuery, filter: MemoryFilter): Promise<ScoredMemory[]> {
      const [tenant] = tenants
      if (tenant === undefined) throw new Error('The folder has no space.')
      return search(tenant.space, query, filter, CUT, generation)
    },
    [Symbol.dispose](): void {
      close()
      db.close()
    },
  }
}
