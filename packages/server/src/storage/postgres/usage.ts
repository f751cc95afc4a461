// Operations per key and month, and when a key was last used.
import { errorCodeOf } from '../../error-code.ts'
import type { StatisticsCount } from '../console-store.ts'
import { lineOfKeys } from '../line-of-keys.ts'
import type { KeyMonth } from '../records.ts'
import type { Charge } from '../shared-limits.ts'
import { StoreError, type UsageDelta, type UsageStore } from '../store.ts'
import { type Database, WITHIN_SPACE } from './connection/database.ts'
import { prepared, type Transaction, type Value } from './connection/transaction.ts'
import { inParts } from './in-parts.ts'
import { addStatistics } from './statistics.ts'

/** Of a key ($1) in a month ($2), those of the keys that it replaced included. */
const USED_IN_MONTH = `
  ${lineOfKeys('$1::text COLLATE "C"')}
  SELECT COALESCE(SUM(operations), 0)::bigint AS used FROM usage
  WHERE month = $2 AND key_id IN (SELECT id FROM line)`

const READ = prepared<{ used: number }>(USED_IN_MONTH)
const ADD = prepared(
  `INSERT INTO usage (key_id, month, operations)
   SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[])
   ON CONFLICT (key_id, month) DO UPDATE SET operations = usage.operations + excluded.operations`,
)

/**
 * One operation of a key ($1) in a month ($2), unless the line of keys has used up its limit ($3).
 * Whoever finds the row held waits until it is known what became of the operation that holds it.
 */
const charging = (condition: string, otherwise: string) =>
  prepared<{ used: number | null }>(`
    WITH RECURSIVE line (id) AS (
      SELECT replaces_id FROM keys WHERE id = $1 AND replaces_id IS NOT NULL
      UNION
      SELECT replaces_id FROM keys JOIN line USING (id) WHERE replaces_id IS NOT NULL),
    inherited AS (
      SELECT COALESCE(SUM(operations), 0)::bigint AS used FROM usage
      WHERE month = $2 AND key_id IN (SELECT id FROM line)),
    charged AS (
      INSERT INTO usage (key_id, month, operations)
      SELECT $1, $2, 1 FROM inherited WHERE ($3::bigint IS NULL OR used < $3) AND ${condition}
      ON CONFLICT (key_id, month) DO UPDATE SET operations = usage.operations + 1
      WHERE $3 IS NULL OR usage.operations + (SELECT used FROM inherited) < $3
      RETURNING operations + (SELECT used FROM inherited) AS used)
    SELECT COALESCE((SELECT used FROM charged), ${otherwise}) AS used`)
const CHARGE = charging(WITHIN_SPACE, "refuse('MG001')")
// Of a read: its commit, and no other, does not wait for the disk.
const CHARGE_SOON = charging("set_config('synchronous_commit', 'off', true) = 'off'", 'NULL')

const HOLD = prepared('SELECT 1 FROM keys WHERE id = ANY($1::text[]) ORDER BY id FOR NO KEY UPDATE')
const TOUCH = prepared(
  `UPDATE keys SET last_used_at = GREATEST(COALESCE(last_used_at, 0), used.at)
   FROM unnest($1::text[], $2::bigint[]) AS used (key_id, at) WHERE id = key_id`,
)

const nameOf = ({ keyId, month }: KeyMonth): string => `${keyId} ${month}`

const toValues = ({ keyId, month, limit }: Charge): Value[] => [keyId, month, limit ?? null]

/** What the month has used with it. Rejects as `exhausted` when there was no room. */
export async function chargeUsage(transaction: Transaction, charge: Charge): Promise<number> {
  return (await transaction.one(CHARGE, toValues(charge)))?.used ?? 0
}

/** Of an operation that no write commits: what the month has used with it, or undefined when there was no room. */
export async function chargeSoon(database: Database, charge: Charge): Promise<number | undefined> {
  const [row] = await database.query(CHARGE_SOON, toValues(charge), charge.keyId)
  return row?.used ?? undefined
}

const OF_NO_KEY = '23503'
const THERE = prepared<{ id: string }>('SELECT id FROM keys WHERE id = ANY($1::text[])')

export const usageStore = (database: Database): UsageStore => ({
  async read({ keyId, month }) {
    const [row] = await database.query(READ, [keyId, month], keyId)
    return row?.used ?? 0
  },
  async add(deltas, counts = []) {
    try {
      await addTogether(database, deltas, counts)
    } catch (error) {
      if (!(error instanceof StoreError) || errorCodeOf(error.cause) !== OF_NO_KEY) throw error
      // A failover has lost a key that was used here. What was counted of it is of no use, and would keep back
      // what was counted of all others.
      const ids = [...deltas, ...counts].map(({ keyId }) => keyId)
      const there = new Set((await database.query(THERE, [ids])).map(({ id }) => id))
      const isThere = ({ keyId }: { keyId: string }): boolean => there.has(keyId)
      await addTogether(database, deltas.filter(isThere), counts.filter(isThere))
    }
  },
})

async function addTogether(
  database: Database,
  deltas: readonly UsageDelta[],
  counts: readonly StatisticsCount[],
): Promise<void> {
  await database.transaction(async (transaction) => {
    // In one order, all months before all keys, so that two instances that flush at once never wait for
    // each other in a circle.
    const ordered = deltas.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
    const counted = ordered.filter(({ operations }) => operations > 0)
    for (const some of inParts(counted)) {
      await transaction.run(ADD, [
        some.map(({ keyId }) => keyId),
        some.map(({ month }) => month),
        some.map(({ operations }) => operations),
      ])
    }
    for (const some of inParts([...lastUses(ordered)])) {
      const ids = some.map(([keyId]) => keyId)
      await transaction.run(HOLD, [ids])
      await transaction.run(TOUCH, [ids, some.map(([, lastUsedAt]) => lastUsedAt)])
    }
    await addStatistics(transaction, counts)
  })
}

/** Of each key once, in the order in which they come. */
function lastUses(deltas: readonly UsageDelta[]): Map<string, number> {
  const uses = new Map<string, number>()
  for (const { keyId, lastUsedAt } of deltas) {
    uses.set(keyId, Math.max(lastUsedAt, uses.get(keyId) ?? lastUsedAt))
  }
  return uses
}
