// Questions over the graph of a space. Each looks at a bounded number of rows and says when the
// bound left something out; relations are followed in both directions.
import type { EntityType } from '../../contract/entities.ts'
import type { GraphEdgeRecord, GraphNodeRecord, GraphPart, SpaceCounts } from '../console-store.ts'
import { searchPath } from '../graph-path.ts'
import { answer, DEGREE_MAX, EDGES_MAX, ROWS_MAX, searchNeighbourhood } from '../graph-search.ts'
import { type EdgeRow, type NamedRow, searchedPart, toEdge, toNamed } from '../record-rows.ts'
import type { Page, RelationEndRecord, SpaceId } from '../records.ts'
import { countReads } from './lists/counts.ts'
import type { Connection } from './opening/open-database.ts'

type NodeRow = { id: string; name: string; type: EntityType }

const EDGE = 'SELECT id, source_id, target_id, type FROM relations WHERE space_no = ?'

type RowBudget = { left: number }

export function graphReads(db: Connection) {
  const node = db.prepare<[SpaceId, string], NodeRow>(
    'SELECT id, name, type FROM entities WHERE space_no = ? AND id = ?',
  )
  const outgoing = db.prepare<[SpaceId, string, number], EdgeRow>(
    `${EDGE} AND source_id = ? ORDER BY created_at DESC, id DESC LIMIT ?`,
  )
  const incoming = db.prepare<[SpaceId, string, number], EdgeRow>(
    `${EDGE} AND target_id = ? ORDER BY created_at DESC, id DESC LIMIT ?`,
  )
  const newestNodes = db.prepare<[SpaceId, number], NodeRow>(
    `SELECT id, name, type FROM entities WHERE space_no = ?
     ORDER BY created_at DESC, id DESC LIMIT ?`,
  )
  const newestOfType = db.prepare<[SpaceId, EntityType, number], NodeRow>(
    `SELECT id, name, type FROM entities WHERE space_no = ? AND type = ?
     ORDER BY created_at DESC, id DESC LIMIT ?`,
  )
  const newestEdges = db.prepare<[SpaceId], EdgeRow>(`${EDGE} ORDER BY created_at DESC, id DESC`)
  const named = db.prepare<[SpaceId, string, string, string, number], NamedRow>(
    `SELECT id, name, type, COUNT(*) OVER () AS total FROM entities
     WHERE space_no = ? AND instr(name_folded, ?) > 0
     ORDER BY name_folded <> ?, instr(name_folded, ?) > 1, created_at DESC, id DESC LIMIT ?`,
  )
  const count = countReads(db)

  /** Outgoing ones, then incoming ones, each newest first. At most what the budget still allows. */
  function edgesOf(space: SpaceId, id: string, budget: RowBudget): GraphEdgeRecord[] {
    const out = outgoing.all(space, id, Math.max(0, budget.left))
    budget.left -= out.length
    const into = incoming.all(space, id, Math.max(0, budget.left))
    budget.left -= into.length
    return [...out, ...into].map(toEdge)
  }

  const degree = db
    .prepare<[SpaceId, string, SpaceId, string, number], number>(
      `SELECT COUNT(*) FROM (
         SELECT 1 FROM relations WHERE space_no = ? AND source_id = ?
         UNION ALL
         SELECT 1 FROM relations WHERE space_no = ? AND target_id = ? AND source_id <> target_id
         LIMIT ?)`,
    )
    .pluck()

  const toNode = (space: SpaceId, row: NodeRow, depth: number): GraphNodeRecord => ({
    id: row.id,
    name: row.name,
    type: row.type,
    degree: degree.get(space, row.id, space, row.id, DEGREE_MAX) ?? 0,
    depth,
  })

  function nodesOf(space: SpaceId, depths: ReadonlyMap<string, number>): GraphNodeRecord[] {
    return [...depths].flatMap(([id, depth]) => {
      const row = node.get(space, id)
      return row === undefined ? [] : [toNode(space, row, depth)]
    })
  }

  const snapshot = <Args extends unknown[], Result>(read: (...args: Args) => Result) =>
    db.transaction(read)

  return {
    counts: snapshot(
      (space: SpaceId): SpaceCounts => ({
        memories: count(space, 'memories'),
        entities: count(space, 'entities'),
        relations: count(space, 'relations'),
      }),
    ),

    neighbourhood: snapshot(
      (
        space: SpaceId,
        id: string,
        bounds: { depth: number; nodesMax: number },
      ): GraphPart | undefined => {
        if (node.get(space, id) === undefined) return undefined
        const budget = { left: ROWS_MAX }
        const { depths, edges, isComplete } = answer(searchNeighbourhood(id, bounds), (from) =>
          edgesOf(space, from, budget),
        )
        return { nodes: nodesOf(space, depths), edges, isComplete: isComplete && budget.left > 0 }
      },
    ),

    newest: snapshot(
      (
        space: SpaceId,
        { type, nodesMax }: { type?: EntityType | undefined; nodesMax: number },
      ): GraphPart => {
        // One more than asked for tells whether that is all.
        const rows =
          type === undefined
            ? newestNodes.all(space, nodesMax + 1)
            : newestOfType.all(space, type, nodesMax + 1)
        const shown = rows.slice(0, nodesMax)
        const ids = new Set(shown.map(({ id }) => id))
        const edges: GraphEdgeRecord[] = []
        const budget = { left: ROWS_MAX }
        for (const row of newestEdges.iterate(space)) {
          budget.left -= 1
          if (budget.left <= 0 || edges.length === EDGES_MAX) break
          if (ids.has(row.source_id) && ids.has(row.target_id)) edges.push(toEdge(row))
        }
        const isComplete =
          rows.length === shown.length && budget.left > 0 && edges.length < EDGES_MAX
        return { nodes: shown.map((row) => toNode(space, row, 0)), edges, isComplete }
      },
    ),

    named(space: SpaceId, text: string, max: number): Page<RelationEndRecord> {
      const part = searchedPart(text) ?? ''
      return toNamed(named.all(space, part, part, part, max))
    },

    path: snapshot((space: SpaceId, from: string, to: string) => {
      if (!node.get(space, from) || !node.get(space, to)) return undefined
      const budget = { left: ROWS_MAX }
      const { path, isComplete } = answer(searchPath(from, to), (id) => edgesOf(space, id, budget))
      if (path === undefined) return { path, isComplete: isComplete && budget.left > 0 }
      const depths = new Map(path.ids.map((id, step) => [id, step]))
      return { path: { nodes: nodesOf(space, depths), edges: path.edges }, isComplete }
    }),
  }
}
