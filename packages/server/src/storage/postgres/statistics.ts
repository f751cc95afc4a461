// What was asked of a key, by day. Counts and names of kinds only, never a text.
import type { StatisticsCount, StatisticsStore } from '../console-store.ts'
import { lineOfKeys } from '../line-of-keys.ts'
import { untilDone } from '../until-done.ts'
import type { Database } from './connection/database.ts'
import { prepared, type Transaction } from './connection/transaction.ts'
import { inParts } from './in-parts.ts'

const ADD = prepared(
  `INSERT INTO statistics (key_id, day, kind, count)
   SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[])
   ON CONFLICT (key_id, day, kind) DO UPDATE SET count = statistics.count + excluded.count`,
)

const READ = prepared<Omit<StatisticsCount, 'keyId'>>(
  `${lineOfKeys('$1::text COLLATE "C"')}
   SELECT day, kind, SUM(count)::bigint AS count FROM statistics
   WHERE key_id IN (SELECT id FROM line) AND day BETWEEN $2 AND $3
   GROUP BY day, kind ORDER BY day, kind`,
)
const MONTHS = prepared<{ month: string }>(
  `${lineOfKeys('$1::text COLLATE "C"')}
   SELECT DISTINCT substr(day, 1, 7) AS month FROM statistics
   WHERE key_id IN (SELECT id FROM line) ORDER BY month DESC`,
)
/** A day of many keys is more than can be removed in the time that a statement may take. */
const EXPIRED_AT_ONCE = 1_000
const EXPIRE = prepared(
  `DELETE FROM statistics WHERE ctid = ANY(ARRAY(
     SELECT ctid FROM statistics WHERE day < $1 LIMIT ${EXPIRED_AT_ONCE} FOR UPDATE SKIP LOCKED))`,
)

export async function addStatistics(
  transaction: Transaction,
  counts: readonly StatisticsCount[],
): Promise<void> {
  const nameOf = ({ keyId, day, kind }: StatisticsCount): string => `${keyId} ${day} ${kind}`
  // In one order, so that two instances that flush at once never wait for each other in a circle.
  const ordered = counts.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
  for (const some of inParts(ordered)) {
    await transaction.run(ADD, [
      some.map(({ keyId }) => keyId),
      some.map(({ day }) => day),
      some.map(({ kind }) => kind),
      some.map(({ count }) => count),
    ])
  }
}

export const statisticsStore = (database: Database, closing: AbortSignal): StatisticsStore => ({
  read: (keyId, { from, to }) => database.query(READ, [keyId, from, to], keyId),
  months: async (keyId) => (await database.query(MONTHS, [keyId], keyId)).map(({ month }) => month),
  expire: (day) =>
    untilDone(async () => {
      const expired = await database.transaction((transaction) => transaction.run(EXPIRE, [day]))
      return expired < EXPIRED_AT_ONCE
    }, closing),
})
