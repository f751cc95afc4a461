// How many rows a list has in all, counted where rows are written, so that no list counts rows. The
// counts change in the transactions that change the rows. What counts and rows say of each other is
// looked at by every check of the file, and the rows are right: counts are made anew from them.
// decisions/2026-11-21-lists.md
import type { RelationRecord, SpaceId } from '../../records.ts'
import { Tally } from '../commit/tally.ts'
import type { Connection } from '../opening/open-database.ts'

/** Which rows: FROM and WHERE. */
const LISTED = 'memories WHERE in_lists = 1'
const UNLISTED = 'memories INDEXED BY memories_unlisted WHERE in_lists = 0'
const UNLISTED_TAGS =
  'memories INDEXED BY memories_unlisted, json_each(memories.tags) WHERE in_lists = 0'
/** Each kind with the rows that it counts, and by which value. Listed ones lie in its order. */
const SOURCES = {
  memories: [['memories WHERE TRUE', "''"]],
  'memories of user': [
    [LISTED, 'user_id'],
    [UNLISTED, 'user_id'],
  ],
  'memories of agent': [
    [`${LISTED} AND agent_id IS NOT NULL`, 'agent_id'],
    [`${UNLISTED} AND agent_id IS NOT NULL`, 'agent_id'],
  ],
  'memories with tag': [
    ['memory_tags WHERE TRUE', 'tag'],
    [UNLISTED_TAGS, 'json_each.value'],
  ],
  entities: [['entities WHERE TRUE', "''"]],
  'entities of type': [['entities WHERE TRUE', 'type']],
  relations: [['relations WHERE TRUE', "''"]],
  'relations of type': [['relations WHERE TRUE', 'type']],
  'relations from': [['relations WHERE TRUE', 'source_id']],
  'relations to': [['relations WHERE TRUE', 'target_id']],
} as const

export type CountKind = keyof typeof SOURCES

type CountedMemory = { userId: string; agentId?: string | null | undefined; tags: string[] }
export type CountedRelation = Pick<RelationRecord, 'type' | 'sourceId' | 'targetId'>
/** How many came (1), or went (-1). */
type Came = 1 | -1

export type Counts = ReturnType<typeof countWrites>

/** Only inside of a transaction, which `notes.settle` has to end. */
export function countWrites(db: Connection) {
  const add = db.prepare<[number, CountKind, string, number]>(
    `INSERT INTO counts (space_no, kind, value, count) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET count = count + excluded.count`,
  )
  const subtract = db.prepare<[number, number, CountKind, string, number]>(
    `UPDATE counts SET count = count - ?
     WHERE space_no = ? AND kind = ? AND value = ? AND count > ?`,
  )
  const clear = db.prepare<[number, CountKind, string]>(
    'DELETE FROM counts WHERE space_no = ? AND kind = ? AND value = ?',
  )
  const notes = new Tally<[space: number, kind: CountKind, value: string]>(
    ([space, kind, value], amount) => {
      if (amount > 0) add.run(space, kind, value, amount)
      else if (subtract.run(-amount, space, kind, value, -amount).changes === 0) {
        clear.run(space, kind, value)
      }
    },
  )
  return {
    notes,
    memory(space: number, came: Came, { userId, agentId, tags }: CountedMemory): void {
      notes.note([space, 'memories', ''], came)
      notes.note([space, 'memories of user', userId], came)
      if (agentId != null) notes.note([space, 'memories of agent', agentId], came)
      for (const tag of tags) notes.note([space, 'memories with tag', tag], came)
    },
    entity(space: number, came: Came, { type }: { type: string }): void {
      notes.note([space, 'entities', ''], came)
      notes.note([space, 'entities of type', type], came)
    },
    relation(space: number, came: Came, { type, sourceId, targetId }: CountedRelation): void {
      notes.note([space, 'relations', ''], came)
      notes.note([space, 'relations of type', type], came)
      notes.note([space, 'relations from', sourceId], came)
      notes.note([space, 'relations to', targetId], came)
    },
  }
}

export function countReads(db: Connection) {
  const read = db
    .prepare<[SpaceId, CountKind, string], number>(
      'SELECT count FROM counts WHERE space_no = ? AND kind = ? AND value = ?',
    )
    .pluck()
  return (space: SpaceId, kind: CountKind, value = ''): number => read.get(space, kind, value) ?? 0
}

const COLUMNS = 'space_no, kind, value, count'
const COUNTED_APART = Object.entries(SOURCES)
  .flatMap(([kind, sources]) =>
    sources.map(
      ([rows, value]) =>
        `SELECT space_no, '${kind}' AS kind, ${value} AS value, COUNT(*) AS count FROM ${rows}
         GROUP BY 1, 3`,
    ),
  )
  .join(' UNION ALL ')
const COUNTED = `SELECT space_no, kind, value, SUM(count) AS count FROM (${COUNTED_APART}) GROUP BY 1, 2, 3`

/** Looks at every row. */
export function countsAreRight(db: Connection): boolean {
  const differ = (one: string, other: string): boolean =>
    db.prepare(`SELECT * FROM (${one} EXCEPT ${other}) LIMIT 1`).get() !== undefined
  const kept = `SELECT ${COLUMNS} FROM counts`
  const counted = `SELECT ${COLUMNS} FROM (${COUNTED})`
  return !differ(kept, counted) && !differ(counted, kept)
}

/** Looks at every row, in a transaction of its own. */
export function countAnew(db: Connection): void {
  const work = db.transaction(() => {
    db.exec(`DELETE FROM counts; INSERT INTO counts (${COLUMNS}) ${COUNTED}`)
  })
  work.immediate()
}
