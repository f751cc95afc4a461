// Questions over the graph of a key's space. Its entities and relations are listed, read and made as under
// /v1, but deleted by a POST to …/:id/delete; with a revoked key none is made (KEY_REVOKED).
import { type Static, Type } from 'typebox'
import { LIMIT_MAX, NAME_LENGTH_MAX } from '../../contract/bounds.ts'
import { ENTITY_TYPES } from '../../contract/entities.ts'
import { anyText, integer, reference } from '../../contract/fields.ts'
import type { MemoryListItem } from '../../contract/memories.ts'
import type { RelationEnd } from '../../contract/relations.ts'

const DEPTH_MAX = 3
export const GRAPH_NODES_MAX = 5_000

export type GraphNode = RelationEnd & {
  /** How many relations it has, counted up to 1,000. */
  degree: number
  /** Steps from the entity that was asked for; 0 in a graph that was asked for as a whole. */
  depth: number
}
export type GraphEdge = {
  id: string
  sourceId: string
  targetId: string
  type: string
}
export type Graph = {
  nodes: GraphNode[]
  /** Between the nodes above alone. */
  edges: GraphEdge[]
  /** False when a bound left something out. */
  isComplete: boolean
}

/** GET /keys/:key/entities/:id/neighbourhood?depth=1&limit=200 → Graph. */
export const NeighbourhoodQuery = Type.Object({
  depth: Type.Optional(integer(1, DEPTH_MAX)),
  limit: Type.Optional(integer(1, 1_000)),
})
export type NeighbourhoodQuery = Static<typeof NeighbourhoodQuery>
/** GET /keys/:key/graph?limit=5000&type → WholeGraph: the newest entities. */
export const WholeGraphQuery = Type.Object({
  limit: Type.Optional(integer(1, GRAPH_NODES_MAX)),
  type: Type.Optional(Type.Enum(ENTITY_TYPES, { type: 'string', allowed: 'a type of entities' })),
})
export type WholeGraphQuery = Static<typeof WholeGraphQuery>
export type WholeGraph = Graph & {
  total: { entities: number; relations: number }
}
/** GET /keys/:key/named?search&limit=50 → Named: those with this name first, then those that begin with it. */
export const NamedQuery = Type.Object({
  search: Type.Optional(anyText(NAME_LENGTH_MAX)),
  limit: Type.Optional(integer(1, LIMIT_MAX)),
})
export type NamedQuery = Static<typeof NamedQuery>
export type Named = { items: RelationEnd[]; total: number }
/** GET /keys/:key/path?from=ent_…&to=ent_… → Path, whatever the direction of the relations. */
export const PathQuery = Type.Object({ from: reference(), to: reference() })
export type PathQuery = Static<typeof PathQuery>
export type Path = {
  /** In order, the first is `from`; null when there is none. `edges[n]` joins nodes n and n + 1. */
  path: { nodes: GraphNode[]; edges: GraphEdge[] } | null
  /** False when the search stopped at a bound: there may be a path that is longer. */
  isComplete: boolean
}
/** GET /keys/:key/entities/:id/memories?after → Mentions: newest first. */
export const MentionsQuery = Type.Object({
  after: Type.Optional(
    Type.String({ pattern: '^-?[0-9]{1,15}\\.\\w{1,48}$', allowed: 'what `next` said' }),
  ),
  limit: Type.Optional(integer(1, 100)),
})
export type MentionsQuery = Static<typeof MentionsQuery>
export type Mentions = {
  /** `place` is where the name stands first, in UTF-16 positions in `content`. */
  items: (MemoryListItem & { place: { start: number; end: number } })[]
  /** Go on with `after=<next>`; null when every memory was looked at. `items` may be empty before. */
  next: string | null
}
