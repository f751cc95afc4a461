// Entities whose names an instance of an older version has folded its own way, beside newer ones: what a migration
// made of names was done by then, and whoever looks for such a name would not find it. So in the days after a
// migration each instance looks through all names once, some minutes after its start: the last one that starts
// takes the place of the last older one. One instance does it at a time.
// decisions/2026-11-21-postgres-migrations.md
import { setTimeout as sleep } from 'node:timers/promises'
import { foldName } from '../../../retrieval/fold.ts'
import { LOCKS } from '../connection/locks.ts'
import { withOwner } from '../connection/owner.ts'
import { onClient, prepared, type Transaction } from '../connection/transaction.ts'
import { type Around, tryUntilDone } from './try-until-done.ts'

const AFTER_START_MS = 10 * 60_000
/** Names are folded on the thread that answers. */
const AT_ONCE = 500

const IS_RECENT = prepared<{ is_recent: boolean }>(
  "SELECT max(applied_at) > now() - interval '7 days' AS is_recent FROM schema_versions",
)
// It goes with the connection.
const LOCK = prepared(`SELECT pg_advisory_lock(${LOCKS.names})`)
// The owner's policies may show it nothing; this role looks at every space.
const IN_EVERY_SPACE = prepared('SET ROLE mnemograph_maintenance')
type Named = { space_no: number; id: string; name: string; name_folded: string }
const NEXT = prepared<Named>(
  `SELECT space_no, id, name, name_folded FROM entities WHERE (space_no, id) > ($1, $2)
   ORDER BY space_no, id LIMIT ${AT_ONCE}`,
)
const FOLD = prepared(
  `UPDATE entities SET name_folded = again.folded
   FROM unnest($1::bigint[], $2::text[], $3::text[]) AS again (space_no, id, folded)
   WHERE entities.space_no = again.space_no AND entities.id = again.id`,
)

/** Resolves when all were looked at, or with the signal. It waits before the first try as before the others. */
export async function foldNamesOfOlderInstances(
  url: string,
  { againMs = AFTER_START_MS, ...around }: Around,
): Promise<void> {
  const { signal } = around
  await sleep(againMs, undefined, { signal }).catch(() => undefined)
  const fold = async (): Promise<boolean> => {
    await withOwner(url, (owner) => lookThrough(onClient(owner)), signal)
    return true
  }
  return tryUntilDone(fold, { ...around, againMs })
}

async function lookThrough(transaction: Transaction): Promise<void> {
  if (!(await transaction.one(IS_RECENT, []))?.is_recent) return
  await transaction.run(LOCK, [])
  await transaction.run(IN_EVERY_SPACE, [])
  let last: Pick<Named, 'space_no' | 'id'> | undefined = { space_no: 0, id: '' }
  while (last !== undefined) {
    const names: Named[] = await transaction.all(NEXT, [last.space_no, last.id])
    const again = names
      .map((each) => ({ ...each, folded: foldName(each.name) }))
      .filter(({ name_folded, folded }) => name_folded !== folded)
    if (again.length > 0) {
      await transaction.run(FOLD, [
        again.map(({ space_no }) => space_no),
        again.map(({ id }) => id),
        again.map(({ folded }) => folded),
      ])
    }
    last = names.length < AT_ONCE ? undefined : names.at(-1)
  }
}
