// What was asked of a key, by day. Counts and names of kinds only, never a text.
import type { StatisticsCount } from '../console-store.ts'
import { lineOfKeys } from '../line-of-keys.ts'
import type { Connection } from './opening/open-database.ts'

/** A day of many keys would hold up other writes. */
const EXPIRED_AT_ONCE = 500

export function statisticsWrites(db: Connection) {
  const add = db.prepare<[string, string, string, number]>(
    `INSERT INTO statistics (key_id, day, kind, count) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET count = count + excluded.count`,
  )
  const expire = db.prepare<[string]>(
    `DELETE FROM statistics WHERE (key_id, day, kind) IN (
       SELECT key_id, day, kind FROM statistics WHERE day < ? LIMIT ${EXPIRED_AT_ONCE})`,
  )
  return {
    add(counts: StatisticsCount[]): void {
      for (const { keyId, day, kind, count } of counts) add.run(keyId, day, kind, count)
    },
    /** Some of them. True when nothing is left. */
    expire: (day: string): boolean => expire.run(day).changes < EXPIRED_AT_ONCE,
  }
}

export function statisticsReads(db: Connection) {
  const read = db.prepare<[string, string, string], Omit<StatisticsCount, 'keyId'>>(
    `${lineOfKeys('?')}
     SELECT day, kind, SUM(count) AS count FROM statistics
     WHERE key_id IN (SELECT id FROM line) AND day BETWEEN ? AND ?
     GROUP BY day, kind ORDER BY day, kind`,
  )
  const months = db
    .prepare<[string], string>(
      `${lineOfKeys('?')}
       SELECT DISTINCT substr(day, 1, 7) AS month FROM statistics
       WHERE key_id IN (SELECT id FROM line) ORDER BY month DESC`,
    )
    .pluck()
  return {
    read: (keyId: string, { from, to }: { from: string; to: string }) => read.all(keyId, from, to),
    months: (keyId: string): string[] => months.all(keyId),
  }
}
