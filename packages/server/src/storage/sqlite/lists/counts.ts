// How many rows a list has in all, counted where rows are written, so that no list counts rows. The
// counts change in the transactions that change the rows. What counts and rows say of each other is looked
// at after every start (check-counts.ts), and the rows are right: counts are made anew from them.
// decisions/2026-11-21-lists.md
import type { RelationRecord, SpaceId } from '../../records.ts'
import { Tally } from '../commit/tally.ts'
import type { Connection } from '../opening/open-database.ts'

/** In the order of their names. */
export const COUNT_KINDS = [
  'entities',
  'entities of type',
  'memories',
  'memories of agent',
  'memories of user',
  'memories with tag',
  'relations',
  'relations from',
  'relations of type',
  'relations to',
] as const
export type CountKind = (typeof COUNT_KINDS)[number]

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
