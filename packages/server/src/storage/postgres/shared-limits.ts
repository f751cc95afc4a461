// Key, rate window and usage of a request, in one statement: one round trip, and no cache in between
// that could be stale. Windows go by the database's clock, so that instances whose clocks differ
// agree about them. The row of a window is held while it is drawn on, so that no two requests take
// the same place; the table is unlogged, so that nobody waits for a disk. Requests of one key that
// arrive together draw together.
// decisions/2026-11-21-limits-across-instances.md
import { KEY_COLUMNS, type KeyRow, toKey } from '../record-rows.ts'
import type { AdmissionRequest, SharedLimits, SharedWindow } from '../shared-limits.ts'
import type { Database } from './connection/database.ts'
import { Gathering } from './connection/gathering.ts'
import { Strangers } from './connection/strangers.ts'
import { prepared } from './connection/transaction.ts'
import { chargeSoon } from './usage.ts'

type Row = KeyRow & {
  rate_limit: number
  /** The window's columns are null for a revoked key. */
  ends_at: number | null
  hits: number | null
  granted: number | null
  now_ms: number
  month: string
  used: number
}

// $1 hash, $2 class, $3 the limit of keys without one of their own, $4 length of a window in ms,
// $5 how many requests draw.
// A window that ends later than a new one would, by more than its length, is of a clock that was set
// back since, or of another machine before a failover: it locks nobody out.
const ADMIT = prepared<Row>(`
  WITH RECURSIVE caller AS MATERIALIZED (
    SELECT ${KEY_COLUMNS}, COALESCE(CASE $2::text
      WHEN 'read' THEN read_limit WHEN 'write' THEN write_limit WHEN 'search' THEN search_limit END, $3) AS rate_limit
    FROM keys WHERE hash = $1),
  clock AS MATERIALIZED (SELECT clock_timestamp() AS now),
  moment AS MATERIALIZED (
    SELECT floor(extract(epoch FROM now) * 1000)::bigint AS now_ms,
      to_char(now AT TIME ZONE 'UTC', 'YYYY-MM') AS month
    FROM clock),
  drawn AS (
    INSERT INTO rate_windows AS held (key_id, class, ends_at, hits, granted)
    SELECT id, $2, now_ms + $4::bigint, LEAST($5::integer, rate_limit), LEAST($5, rate_limit)
    FROM caller CROSS JOIN moment WHERE status = 'active'
    ON CONFLICT (key_id, class) DO UPDATE SET (ends_at, hits, granted) = (
      SELECT CASE WHEN lasts THEN held.ends_at ELSE excluded.ends_at END,
        CASE WHEN lasts THEN held.hits + room ELSE excluded.hits END,
        CASE WHEN lasts THEN room ELSE excluded.granted END
      FROM caller CROSS JOIN LATERAL (SELECT
        held.ends_at > excluded.ends_at - $4 AND held.ends_at <= excluded.ends_at + $4,
        LEAST($5, GREATEST(rate_limit - held.hits, 0))) AS present (lasts, room))
    RETURNING ends_at, hits, granted),
  line (id) AS (
    SELECT id FROM caller
    UNION
    SELECT replaces_id FROM keys JOIN line USING (id) WHERE replaces_id IS NOT NULL)
  SELECT caller.*, ends_at, hits, granted, now_ms, moment.month,
    (SELECT COALESCE(SUM(operations), 0)::bigint FROM usage
     WHERE usage.month = moment.month AND key_id IN (SELECT id FROM line)) AS used
  FROM caller CROSS JOIN moment LEFT JOIN drawn ON true`)

const NOW = prepared<{ now_ms: number }>(
  'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms',
)

export function sharedLimits(database: Database): SharedLimits {
  const gathering = new Gathering<Row | undefined>()
  const strangers = new Strangers()
  return {
    async admit(request) {
      const { hash, rateClass, limitDefault, windowMs, network } = request
      const name = nameOf(request)
      const { answer: row, place } = await gathering.join(name, async (count) => {
        const values = [hash, rateClass, limitDefault, windowMs, count]
        const asker = strangers.askerOf(hash, { name, network })
        return (await database.query(ADMIT, values, asker))[0]
      })
      if (row === undefined) return undefined
      strangers.meet(hash)
      return {
        key: toKey(row),
        window: windowOf(row, place),
        nowMs: row.now_ms,
        month: row.month,
        used: row.used,
      }
    },
    charge: (charge) => chargeSoon(database, charge),
    async nowMs() {
      const [row] = await database.query(NOW, [])
      if (row === undefined) throw new Error('There is no time that the database could tell.')
      return row.now_ms
    },
  }
}

const nameOf = ({ hash, rateClass, limitDefault, windowMs }: AdmissionRequest): string =>
  [hash.toString('base64'), rateClass, limitDefault, windowMs].join(' ')

/** Of those who drew together, the first ones got what was left. */
function windowOf(row: Row, place: number): SharedWindow | undefined {
  const { rate_limit: limit, ends_at: endsAtMs, hits, granted } = row
  if (endsAtMs === null || hits === null || granted === null) return undefined
  const isAllowed = place < granted
  return { isAllowed, limit, hits: isAllowed ? hits - granted + place + 1 : hits, endsAtMs }
}
