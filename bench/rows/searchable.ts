// A filled folder opened as the service opens it, with a search for the rows; closed after its block.
import type { SearchQuery } from '../../packages/server/src/retrieval/evidence.ts'
import type { ScoredMemory } from '../../packages/server/src/storage/records.ts'
import type { MemoryFilter } from '../../packages/server/src/storage/store.ts'
import { adoptBundled, type FilledFolder, openBenchStore } from '../data/filled-store.ts'
import { CUT } from './direct-search.ts'

export async function openSearchable(folder: FilledFolder) {
  const store = await openBenchStore(folder.directory)
  const generation = await adoptBundled(store)
  return {
    search(
      query: SearchQuery,
      filter: MemoryFilter,
      { cut = CUT, place = 0 } = {},
    ): Promise<ScoredMemory[]> {
      const tenant = folder.tenants[place]
      if (tenant === undefined) throw new Error('There is no such space.')
      return store.forSpace(tenant.space).memories.search(query, filter, cut, generation)
    },
    [Symbol.asyncDispose]: () => store.close(),
  }
}
