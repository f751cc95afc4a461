// Operations per key and month, and when a key was last used.
import type { StatisticsCount } from '../console-store.ts'
import type { Charge, UsageDelta } from '../store.ts'
import { Tally } from './commit/tally.ts'
import type { Connection } from './opening/open-database.ts'
import { statisticsWrites } from './statistics.ts'

/** A key and those that it replaced. */
const LINE = `
  WITH RECURSIVE line (id) AS (
    SELECT ?
    UNION
    SELECT replaces_id FROM keys JOIN line USING (id) WHERE replaces_id IS NOT NULL)`

/** Of a key in a month, those of the keys that it replaced included. */
export const USED_IN_MONTH = `${LINE}
  SELECT COALESCE(SUM(operations), 0) FROM usage
  WHERE month = ? AND key_id IN (SELECT id FROM line)`

export function usageWrites(db: Connection) {
  const statistics = statisticsWrites(db)
  const add = db.prepare<[string, string, number]>(
    `INSERT INTO usage (key_id, month, operations) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET operations = operations + excluded.operations`,
  )
  const used = db.prepare<[string, string], number>(USED_IN_MONTH).pluck()
  const line = db.prepare<[string], string>(`${LINE} SELECT id FROM line`).pluck()
  const operations = new Tally<[keyId: string, month: string]>(([keyId, month], amount) => {
    add.run(keyId, month, amount)
  })
  const touch = db.prepare<[number, string]>(
    'UPDATE keys SET last_used_at = MAX(COALESCE(last_used_at, 0), ?) WHERE id = ?',
  )

  /** What is not written yet counts as well. Nothing else writes between a look and its count. */
  function usedBefore(keyId: string, month: string): number {
    const keys = line.all(keyId)
    const pending = operations.pending(([key, of]) => of === month && keys.includes(key))
    return (used.get(keyId, month) ?? 0) + pending
  }

  return {
    notes: operations,
    /** False, and not counted, when the month is used up. */
    note({ keyId, month, limit }: Charge): boolean {
      if (limit !== undefined && usedBefore(keyId, month) >= limit) return false
      operations.note([keyId, month], 1)
      return true
    },
    charge({ keyId, month, limit }: Charge): number | undefined {
      const before = usedBefore(keyId, month)
      if (limit !== undefined && before >= limit) return undefined
      operations.note([keyId, month], 1)
      return before + 1
    },
    add(deltas: UsageDelta[], counts: StatisticsCount[] = []): void {
      statistics.add(counts)
      for (const { charge, operations, lastUsedAt } of deltas) {
        if (operations > 0) add.run(charge.keyId, charge.month, operations)
        touch.run(lastUsedAt, charge.keyId)
      }
    },
  }
}

export function usageReads(db: Connection) {
  const read = db.prepare<[string, string], number>(USED_IN_MONTH).pluck()
  return {
    read: ({ keyId, month }: Charge): number => read.get(keyId, month) ?? 0,
  }
}
