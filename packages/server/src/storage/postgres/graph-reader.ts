// What questions over the graph of a space read, in one transaction, as few statements as possible:
// the relations of hundreds of entities are one, in the order in which each entity on its own would
// be asked for, so that a bound on rows leaves out the same as in any other store.
import type { EntityType } from '../../contract/entities.ts'
import type { GraphEdgeRecord, GraphNodeRecord } from '../console-store.ts'
import { DEGREE_MAX, EDGES_MAX, type RelationsOf, ROWS_MAX } from '../graph-search.ts'
import { type EdgeRow, toEdge } from '../record-rows.ts'
import type { SpaceId } from '../records.ts'
import { bindableId } from './bindable-id.ts'
import { prepared, type Transaction } from './connection/transaction.ts'
import { isAmong } from './search/listed.ts'
import { oneByItself } from './search/plans.ts'

type NodeRow = { id: string; name: string; type: EntityType; degree: number }

const NODE = `entities.id, name, entities.type, (SELECT COUNT(*) FROM (
    SELECT 1 FROM relations WHERE space_no = $1 AND source_id = entities.id
    UNION ALL
    SELECT 1 FROM relations
    WHERE space_no = $1 AND target_id = entities.id AND source_id <> target_id
    LIMIT ${DEGREE_MAX}) AS counted) AS degree`
const NODES = prepared<NodeRow>(
  `SELECT ${NODE} FROM unnest($2::text[]) WITH ORDINALITY AS named (id, place)
   ${oneByItself('SELECT id, name, type FROM entities WHERE space_no = $1 AND id = named.id', 'entities')}
   ORDER BY place`,
)
const NEWEST_NODES = prepared<NodeRow>(
  `SELECT ${NODE} FROM entities WHERE space_no = $1 ORDER BY created_at DESC, id DESC LIMIT $2`,
)
const NEWEST_OF_TYPE = prepared<NodeRow>(
  `SELECT ${NODE} FROM entities WHERE space_no = $1 AND type = $3
   ORDER BY created_at DESC, id DESC LIMIT $2`,
)
const ARE_THERE = prepared<{ there: number }>(
  'SELECT COUNT(*) AS there FROM entities WHERE space_no = $1 AND id IN ($2, $3)',
)
const RELATIONS = `SELECT id, source_id, target_id, type, created_at FROM relations
  WHERE space_no = $1`
const NEWEST_FIRST = 'ORDER BY created_at DESC, id DESC'
// Entity after entity, until the rows are enough.
const RELATIONS_OF = prepared<EdgeRow & { asked: string }>(
  `SELECT asked.id AS asked, found.id, source_id, target_id, type
   FROM unnest($2::text[]) WITH ORDINALITY AS asked (id, place) CROSS JOIN LATERAL (
     (SELECT 0 AS direction, own.* FROM (
        ${RELATIONS} AND source_id = asked.id ${NEWEST_FIRST} LIMIT $3) AS own)
     UNION ALL
     (SELECT 1 AS direction, own.* FROM (
        ${RELATIONS} AND target_id = asked.id ${NEWEST_FIRST} LIMIT $3) AS own)) AS found
   ORDER BY place, direction, created_at DESC, found.id DESC LIMIT $3`,
)
const NEWEST_RELATIONS = prepared<EdgeRow>(
  `SELECT id, source_id, target_id, type FROM (${RELATIONS} ${NEWEST_FIRST} LIMIT ${ROWS_MAX - 1})
     AS newest
   WHERE ${isAmong('source_id', '$2')} AND ${isAmong('target_id', '$2')}
   ${NEWEST_FIRST} LIMIT ${EDGES_MAX}`,
)
const HAS_MORE_RELATIONS = prepared<{ more: boolean }>(
  `SELECT EXISTS (SELECT 1 FROM relations WHERE space_no = $1 LIMIT 1 OFFSET ${ROWS_MAX - 1})
     AS more`,
)

const toNode = ({ id, name, type, degree }: NodeRow, depth: number): GraphNodeRecord => ({
  id,
  name,
  type,
  degree,
  depth,
})

export class GraphReader {
  readonly #transaction: Transaction
  readonly #space: SpaceId
  #rowsLeft = ROWS_MAX

  constructor(transaction: Transaction, space: SpaceId) {
    this.#transaction = transaction
    this.#space = space
  }

  /** Whether the bound on rows left out nothing. */
  get isComplete(): boolean {
    return this.#rowsLeft > 0
  }

  readonly relationsOf = async (ids: readonly string[]): Promise<RelationsOf> => {
    const rows =
      this.#rowsLeft === 0
        ? []
        : await this.#transaction.all(RELATIONS_OF, [this.#space, ids, this.#rowsLeft])
    this.#rowsLeft -= rows.length
    const edges = new Map<string, GraphEdgeRecord[]>(ids.map((id) => [id, []]))
    for (const row of rows) edges.get(row.asked)?.push(toEdge(row))
    return (id) => edges.get(id) ?? []
  }

  /** In the order of the map. */
  async nodesOf(depths: ReadonlyMap<string, number>): Promise<GraphNodeRecord[]> {
    const rows = await this.#transaction.all(NODES, [this.#space, [...depths.keys()]])
    return rows.map((row) => toNode(row, depths.get(row.id) ?? 0))
  }

  async newestNodes(type: EntityType | undefined, max: number): Promise<GraphNodeRecord[]> {
    const rows =
      type === undefined
        ? await this.#transaction.all(NEWEST_NODES, [this.#space, max])
        : await this.#transaction.all(NEWEST_OF_TYPE, [this.#space, max, type])
    return rows.map((row) => toNode(row, 0))
  }

  /** Newest first, among the newest relations of the space. */
  async relationsAmong(
    ids: readonly string[],
  ): Promise<{ edges: GraphEdgeRecord[]; isComplete: boolean }> {
    const [rows, rest] = await Promise.all([
      this.#transaction.all(NEWEST_RELATIONS, [this.#space, ids]),
      this.#transaction.one(HAS_MORE_RELATIONS, [this.#space]),
    ])
    return {
      edges: rows.map(toEdge),
      isComplete: rest?.more === false && rows.length < EDGES_MAX,
    }
  }

  async areThere(from: string, to: string): Promise<boolean> {
    const row = await this.#transaction.one(ARE_THERE, [
      this.#space,
      bindableId(from),
      bindableId(to),
    ])
    return row?.there === new Set([from, to]).size
  }
}
