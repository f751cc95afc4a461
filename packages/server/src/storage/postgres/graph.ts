// Questions over the graph of a space. Each looks at a bounded number of rows and says when the
// bound left something out; all that it reads is of one moment.
import type { GraphStore } from '../console-store.ts'
import { searchPath } from '../graph-path.ts'
import { answerTogether, searchNeighbourhood } from '../graph-search.ts'
import { type NamedRow, searchedPart, toNamed } from '../record-rows.ts'
import type { SpaceId } from '../records.ts'
import type { Snapshot } from './connection/database.ts'
import { prepared } from './connection/transaction.ts'
import { GraphReader } from './graph-reader.ts'
import { findMentions } from './mentions.ts'
import { totalOf } from './pages.ts'
import type { CountedTable, RowCounts } from './upkeep/row-counts.ts'

// Counted apart: over a window all that are found would be sorted and kept.
const NAMED = prepared<NamedRow>(
  `SELECT id, name, type, (
     SELECT COUNT(*) FROM entities WHERE space_no = $1 AND position($2 IN name_folded) > 0) AS total
   FROM entities WHERE space_no = $1 AND position($2 IN name_folded) > 0
   ORDER BY name_folded <> $2, position($2 IN name_folded) > 1, created_at DESC, id DESC LIMIT $3`,
)

export function graphStore(rowCounts: RowCounts, space: SpaceId, snapshot: Snapshot): GraphStore {
  const explore = <Result>(read: (reader: GraphReader) => Promise<Result>): Promise<Result> =>
    snapshot((transaction) => read(new GraphReader(transaction, space)))
  return {
    counts: () =>
      snapshot(async (transaction) => {
        // One after the other: how long a statement may take counts from when it was sent.
        const total = (table: CountedTable) => totalOf(transaction, { rowCounts, space, table })
        return {
          memories: await total('memories'),
          entities: await total('entities'),
          relations: await total('relations'),
        }
      }),

    neighbourhood: (id, bounds) =>
      explore(async (reader) => {
        if (!(await reader.areThere(id, id))) return undefined
        const search = searchNeighbourhood(id, bounds)
        const { depths, edges, isComplete } = await answerTogether(search, reader.relationsOf)
        const nodes = await reader.nodesOf(depths)
        return { nodes, edges, isComplete: isComplete && reader.isComplete }
      }),

    newest: ({ type, nodesMax }) =>
      explore(async (reader) => {
        // One more than asked for tells whether that is all.
        const found = await reader.newestNodes(type, nodesMax + 1)
        const nodes = found.slice(0, nodesMax)
        const { edges, isComplete } = await reader.relationsAmong(nodes.map(({ id }) => id))
        return { nodes, edges, isComplete: isComplete && found.length === nodes.length }
      }),

    named: (text, max) =>
      snapshot(async (transaction) =>
        toNamed(await transaction.all(NAMED, [space, searchedPart(text) ?? '', max])),
      ),

    path: (from, to) =>
      explore(async (reader) => {
        if (!(await reader.areThere(from, to))) return undefined
        const found = await answerTogether(searchPath(from, to), reader.relationsOf)
        const { path, isComplete } = found
        if (path === undefined) return { path, isComplete: isComplete && reader.isComplete }
        const nodes = await reader.nodesOf(new Map(path.ids.map((id, step) => [id, step])))
        return { path: { nodes, edges: path.edges }, isComplete }
      }),

    mentions: (name, page) => findMentions(snapshot, space, name, page),
  }
}
