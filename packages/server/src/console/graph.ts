// What the console's graph page asks, in the words of its contract.
import { ApiError } from '../contract/errors.ts'
import { toListItem } from '../core/memories.ts'
import type { SpaceStore } from '../storage/store.ts'
import {
  GRAPH_NODES_MAX,
  type Graph,
  type Mentions,
  type MentionsQuery,
  type Named,
  type NamedQuery,
  type NeighbourhoodQuery,
  type Path,
  type PathQuery,
  type WholeGraph,
  type WholeGraphQuery,
} from './contract/graph.ts'

const NEIGHBOURHOOD_NODES = 200
const MENTIONS_LIMIT = 20
const NAMED_LIMIT = 50

export async function neighbourhood(
  space: SpaceStore,
  id: string,
  { depth = 1, limit = NEIGHBOURHOOD_NODES }: NeighbourhoodQuery,
): Promise<Graph> {
  const graph = await space.graph.neighbourhood(id, { depth, nodesMax: limit })
  if (graph === undefined) throw new ApiError('ENTITY_NOT_FOUND')
  return graph
}

export async function wholeGraph(
  space: SpaceStore,
  { limit = GRAPH_NODES_MAX, type }: WholeGraphQuery,
): Promise<WholeGraph> {
  const graph = await space.graph.newest({ type, nodesMax: limit })
  const { entities, relations } = await space.graph.counts()
  return { ...graph, total: { entities, relations } }
}

export async function named(
  space: SpaceStore,
  { search = '', limit = NAMED_LIMIT }: NamedQuery,
): Promise<Named> {
  if (search !== '') return space.graph.named(search, limit)
  // All of them, the newest first: an index has them in this order.
  const { items, total } = await space.entities.page({}, { page: 1, limit })
  return { items: items.map(({ id, name, type }) => ({ id, name, type })), total }
}

export async function pathBetween(space: SpaceStore, { from, to }: PathQuery): Promise<Path> {
  const found = await space.graph.path(from, to)
  if (found === undefined) throw new ApiError('ENTITY_NOT_FOUND')
  return { ...found, path: found.path ?? null }
}

export async function mentions(
  space: SpaceStore,
  id: string,
  { after, limit = MENTIONS_LIMIT }: MentionsQuery,
): Promise<Mentions> {
  const entity = await space.entities.find(id)
  if (entity === undefined) throw new ApiError('ENTITY_NOT_FOUND')
  const { items, next } = await space.graph.mentions(entity.name, { after, limit })
  const found = items.map((memory) => ({ ...toListItem(memory), place: memory.place }))
  return { items: found, next: next ?? null }
}
