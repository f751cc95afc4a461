// What was asked of a key, by day. Counts and names of kinds only, never a text.
import type { StatisticsCount } from '../console-store.ts'
import { prepared, type Transaction } from './database.ts'

const ADD = prepared(
  `INSERT INTO statistics (key_id, day, kind, count) VALUES ($1, $2, $3, $4)
   ON CONFLICT (key_id, day, kind) DO UPDATE SET count = statistics.count + excluded.count`,
)

export async function addStatistics(
  transaction: Transaction,
  counts: readonly StatisticsCount[],
): Promise<void> {
  const nameOf = ({ keyId, day, kind }: StatisticsCount): string => `${keyId} ${day} ${kind}`
  // In one order, so that two instances that flush at once never wait for each other in a circle.
  const ordered = counts.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
  for (const { keyId, day, kind, count } of ordered) {
    await transaction.run(ADD, [keyId, day, kind, count])
  }
}
