// Whether the count of one value with very many rows is right, found by counting them in parts, each in a snapshot
// of its own, while rows come and go. Only rows that were there at the beginning are looked at, as their numbers
// tell, and these can only become fewer. So when the stored count says that at the end as many are left as at the
// beginning, none went meanwhile, and the sum of the parts has to be that number. (Of relations and entities the
// very last number can come again; a count that seems wrong for it is looked at once more.)
// decisions/2026-11-21-start.md
import { ABOVE_ALL, type Connection } from '../opening/open-database.ts'
import { COUNTED, valueIn } from './counted-rows.ts'
import type { CountKind } from './counts.ts'

/** They lie side by side in an index, of which nothing else is read: some two milliseconds. */
const PART_ROWS = 10_000
const TRIES_MAX = 3

type Of = { space: number; value: string }
type Place = { createdAt: number | Buffer; id: string }
const FIRST: Place = { createdAt: Number.MIN_SAFE_INTEGER, id: '' }
const LAST: Place = { createdAt: ABOVE_ALL, id: '' }

/**
 * One part with each `next`. Whether the count is right; false says only that it was not seen to be: rows were
 * deleted meanwhile, each time, or it is wrong. Then all have to be counted in one step, the longest that there
 * is: some 100 ms for a million.
 */
export function partsCheck(db: Connection, kind: CountKind) {
  const { table, listed, hasValue } = COUNTED[kind]
  const { from, where, no } = listed
  // All up to there are in their lists by now, and a list loses none but those that are deleted.
  const newest = db
    .prepare<[Of], number>(
      table === 'memories'
        ? `SELECT COALESCE(
             (SELECT MIN(no) - 1 FROM memories INDEXED BY memories_unlisted
              WHERE in_lists = 0 AND space_no = :space),
             (SELECT MAX(no) FROM memories), 0)`
        : `SELECT COALESCE(MAX(no), 0) FROM ${table}`,
    )
    .pluck()
  const settled = db
    .prepare<[Of & { newest: number }], number>(
      `SELECT COALESCE((SELECT count FROM counts
           WHERE space_no = :space AND kind = '${kind}' AND value = :value), 0)
         - (SELECT COUNT(*) FROM ${table} NOT INDEXED
            WHERE no > :newest AND space_no = :space AND ${hasValue})`,
    )
    .pluck()
  const ofValue = `${where} AND space_no = :space AND ${valueIn(listed)} = :value
    AND (created_at, id) > (:createdAt, :id)`
  const end = db.prepare<[Of & Place], Place>(
    `SELECT created_at AS createdAt, id FROM ${from} WHERE ${ofValue}
     ORDER BY created_at, id LIMIT 1 OFFSET ${PART_ROWS - 1}`,
  )
  const count = db
    .prepare<[Of & Place & { newest: number; toCreatedAt: number | Buffer; toId: string }], number>(
      `SELECT COUNT(*) FROM ${from} WHERE ${ofValue}
         AND (created_at, id) <= (:toCreatedAt, :toId) AND ${no} <= :newest`,
    )
    .pluck()

  function* sumOfParts(of: Of, newest: number): Generator<undefined, number> {
    let sum = 0
    for (let after: Place | undefined = FIRST; after !== undefined; ) {
      const to = end.get({ ...of, ...after })
      const { createdAt: toCreatedAt, id: toId } = to ?? LAST
      sum += count.get({ ...of, ...after, newest, toCreatedAt, toId }) ?? 0
      yield
      after = to
    }
    return sum
  }

  return function* (space: number, text: string): Generator<undefined, boolean> {
    const of = { space, value: text }
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      const upTo = newest.get(of) ?? 0
      const before = settled.get({ ...of, newest: upTo })
      const sum = yield* sumOfParts(of, upTo)
      const after = settled.get({ ...of, newest: upTo })
      if (before === after) return sum === after
    }
    return false
  }
}
