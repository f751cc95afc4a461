// A search that cuts nothing off, for the console's playground.
import { THRESHOLD_DEFAULT } from '../contract/bounds.ts'
import type { Memories } from '../core/memories.ts'
import type { SpaceStore } from '../storage/store.ts'
import type { Playground, PlaygroundSearch } from './contract/memories.ts'
import { toExplanation } from './explanation.ts'

const LIMIT_DEFAULT = 20

export async function searchPlayground(
  memories: Memories,
  space: SpaceStore,
  search: PlaygroundSearch,
): Promise<Playground> {
  const limit = search.limit ?? LIMIT_DEFAULT
  const results = await memories.searchExplained(space, { ...search, limit, threshold: 0 })
  return {
    results: results.map((found) => ({ ...found.result, explanation: toExplanation(found) })),
    defaultThreshold: THRESHOLD_DEFAULT,
  }
}
