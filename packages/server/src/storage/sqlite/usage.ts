// Operations per key and month, and when a key was last used.
import type { StatisticsCount } from '../console-store.ts'
import { lineOfKeys } from '../line-of-keys.ts'
import type { KeyMonth } from '../records.ts'
import type { UsageDelta } from '../store.ts'
import { Tally } from './commit/tally.ts'
import type { Connection } from './opening/open-database.ts'
import { statisticsWrites } from './statistics.ts'

/** Of a key in a month, those of the keys that it replaced included. */
const USED_IN_MONTH = `
  ${lineOfKeys('?')}
  SELECT COALESCE(SUM(operations), 0) FROM usage
  WHERE month = ? AND key_id IN (SELECT id FROM line)`

export function usageWrites(db: Connection) {
  const statistics = statisticsWrites(db)
  const add = db.prepare<[string, string, number]>(
    `INSERT INTO usage (key_id, month, operations) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET operations = operations + excluded.operations`,
  )
  const operations = new Tally<[keyId: string, month: string]>(([keyId, month], amount) => {
    add.run(keyId, month, amount)
  })
  const touch = db.prepare<[number, string]>(
    'UPDATE keys SET last_used_at = MAX(COALESCE(last_used_at, 0), ?) WHERE id = ?',
  )

  return {
    notes: operations,
    /** One operation, written with the commit. */
    note: ({ keyId, month }: KeyMonth): void => operations.note([keyId, month], 1),
    add(deltas: UsageDelta[], counts: StatisticsCount[] = []): void {
      statistics.add(counts)
      for (const { keyId, month, operations, lastUsedAt } of deltas) {
        if (operations > 0) add.run(keyId, month, operations)
        touch.run(lastUsedAt, keyId)
      }
    },
  }
}

export function usageReads(db: Connection) {
  const read = db.prepare<[string, string], number>(USED_IN_MONTH).pluck()
  return {
    read: ({ keyId, month }: KeyMonth): number => read.get(keyId, month) ?? 0,
  }
}
