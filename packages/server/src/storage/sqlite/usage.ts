// Operations per key and month, and when a key was last used.
import type { Charge, UsageDelta } from '../store.ts'
import type { Connection } from './open-database.ts'

export function usageWrites(db: Connection) {
  const add = db.prepare<[string, string, number]>(
    `INSERT INTO usage (key_id, month, operations) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET operations = operations + excluded.operations`,
  )
  const touch = db.prepare<[number, string]>(
    'UPDATE keys SET last_used_at = MAX(COALESCE(last_used_at, 0), ?) WHERE id = ?',
  )
  return {
    charge({ keyId, month }: Charge): void {
      add.run(keyId, month, 1)
    },
    add(deltas: UsageDelta[]): void {
      for (const { charge, operations, lastUsedAt } of deltas) {
        if (operations > 0) add.run(charge.keyId, charge.month, operations)
        touch.run(lastUsedAt, charge.keyId)
      }
    },
  }
}

export function usageReads(db: Connection) {
  const read = db
    .prepare<[string, string], number>(
      'SELECT operations FROM usage WHERE key_id = ? AND month = ?',
    )
    .pluck()
  return {
    read: ({ keyId, month }: Charge): number => read.get(keyId, month) ?? 0,
  }
}
