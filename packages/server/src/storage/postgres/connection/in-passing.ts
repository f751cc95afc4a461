// What only the owner of the tables can do and needs the table of pieces for a moment: an index comes or
// goes. Whoever waits for a table holds up all who ask for it later, until those who have it are done;
// beside an export of hours that would be an outage of hours. So nothing is begun while somebody has
// the table for long, and what does not get it soon is given up, to be tried again.
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientBase } from 'pg'
import { errorCodeOf } from '../../../error-code.ts'
import { StoreError } from '../../store.ts'
import { asOwner } from './owner.ts'

/** Longer than the second after which the database ends its own VACUUM for whoever waits for it. */
const LOCK_WAIT_MS = 1_500
/** Whoever still has the table after that has it for long: a request is seldom at work for so long. */
const LOOK_AGAIN_MS = 1_000
/** Until the next attempt. */
const PAUSE_MS = 1_000
const LOCK_NOT_AVAILABLE = '55P03'

/** Whom the work has to wait for: an index comes beside readers, and goes beside nobody. */
type Others = 'writers' | 'everybody'

/**
 * The database ends its own VACUUM, which nobody has connected for, and no other work in that mode: an index
 * that comes CONCURRENTLY waits with it for as long as an export takes.
 */
const GIVES_WAY = `(mode = 'ShareUpdateExclusiveLock'
  AND pid IN (SELECT pid FROM pg_stat_activity WHERE usesysid IS NULL))`
const IN_THE_WAY: Record<Others, string> = {
  writers: `mode NOT IN ('AccessShareLock', 'RowShareLock') AND NOT ${GIVES_WAY}`,
  everybody: `NOT ${GIVES_WAY}`,
}
const holdersSql = (others: Others): string =>
  `SELECT DISTINCT virtualtransaction AS holder FROM pg_locks
   WHERE granted AND ${IN_THE_WAY[others]} AND pid <> pg_backend_pid()
     AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
     AND relation IN (SELECT relid FROM pg_partition_tree('pieces'))`

/** Undefined when others have the table: nothing was done, and a pause was made. */
export async function inPassing<Result>(
  url: string,
  others: Others,
  work: (owner: ClientBase) => Promise<Result>,
): Promise<{ result: Result } | undefined> {
  if (await areLong(url, others)) return pause()
  try {
    const result = await asOwner(url, async (owner) => {
      await owner.query(`SET LOCAL lock_timeout = ${LOCK_WAIT_MS}`)
      return work(owner)
    })
    return { result }
  } catch (error) {
    if (!isLocked(error)) throw error
    return pause()
  }
}

async function areLong(url: string, others: Others): Promise<boolean> {
  const before = await holders(url, others)
  if (before.length === 0) return false
  await sleep(LOOK_AGAIN_MS)
  const still = new Set(await holders(url, others))
  return before.some((holder) => still.has(holder))
}

const holders = (url: string, others: Others): Promise<string[]> =>
  asOwner(url, async (owner) => {
    const { rows } = await owner.query<{ holder: string }>(holdersSql(others))
    return rows.map(({ holder }) => holder)
  })

const isLocked = (error: unknown): boolean =>
  error instanceof StoreError && errorCodeOf(error.cause) === LOCK_NOT_AVAILABLE

async function pause(): Promise<undefined> {
  await sleep(PAUSE_MS)
}
