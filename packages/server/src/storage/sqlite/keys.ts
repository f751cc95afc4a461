// Keys and the spaces that they open.
import type { Plan } from '../../contract/plans.ts'
import type { KeyRecord, KeyStatus, NewKey, SpaceId } from '../store.ts'
import type { Connection } from './open-database.ts'

type Row = {
  id: string
  space_no: SpaceId
  name: string
  plan: Plan
  read_limit: number | null
  write_limit: number | null
  search_limit: number | null
  status: KeyStatus
  created_at: number
  last_used_at: number | null
}

const COLUMNS = `id, space_no, name, plan, read_limit, write_limit, search_limit, status,
  created_at, last_used_at`

const toKey = (row: Row): KeyRecord => ({
  id: row.id,
  name: row.name,
  plan: row.plan,
  limits: {
    read: row.read_limit ?? undefined,
    write: row.write_limit ?? undefined,
    search: row.search_limit ?? undefined,
  },
  status: row.status,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at ?? undefined,
  spaceId: row.space_no,
})

export function keyReads(db: Connection) {
  const byHash = db.prepare<[Buffer], Row>(`SELECT ${COLUMNS} FROM keys WHERE hash = ?`)
  const byId = db.prepare<[string], Row>(`SELECT ${COLUMNS} FROM keys WHERE id = ?`)
  const all = db.prepare<[], Row>(`SELECT ${COLUMNS} FROM keys ORDER BY created_at DESC, id DESC`)
  return {
    findByHash(hash: Buffer): KeyRecord | undefined {
      const row = byHash.get(hash)
      return row && toKey(row)
    },
    find(id: string): KeyRecord | undefined {
      const row = byId.get(id)
      return row && toKey(row)
    },
    list: (): KeyRecord[] => all.all().map(toKey),
  }
}

export function keyWrites(db: Connection) {
  const openSpace = db.prepare<[number]>('INSERT INTO spaces (created_at) VALUES (?)')
  const insert = db.prepare(
    `INSERT INTO keys
       (id, space_no, name, hash, plan, read_limit, write_limit, search_limit, status, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'active', ?)`,
  )
  const revoke = db.prepare<[string]>("UPDATE keys SET status = 'revoked' WHERE id = ?")
  const reads = keyReads(db)
  return {
    insert(key: NewKey): void {
      const space = openSpace.run(key.createdAt).lastInsertRowid
      insert.run(
        key.id,
        space,
        key.name,
        Buffer.from(key.hash),
        key.plan,
        key.limits.read ?? null,
        key.limits.write ?? null,
        key.limits.search ?? null,
        key.createdAt,
      )
    },
    revoke(id: string): KeyRecord | undefined {
      revoke.run(id)
      return reads.find(id)
    },
  }
}
