// Whether counts and rows say the same of each other, while both change. They change in the same
// transactions, so what one statement sees of a range of them fits, and ranges that meet leave nothing out.
// Each step looks at one range of few rows, since a longer snapshot would keep the log from being cut.
// decisions/2026-11-21-start.md
import { ABOVE_ALL, type Connection } from '../opening/open-database.ts'
import { partsCheck } from './count-in-parts.ts'
import { COUNTED, countedApart, valueIn } from './counted-rows.ts'
import { COUNT_KINDS, type CountKind } from './counts.ts'

/** Each of them is looked at for every kind that counts it. */
const STEP_ROWS = 1_000

/** Some counts are wrong. */
export type WrongCounts = {
  /** Makes them anew from the rows, in a transaction of its own. */
  mend: () => void
}
type Steps = Generator<WrongCounts | undefined, void>

/**
 * One step with each `next`. Yields what is wrong, or undefined. Spaces of few rows share a step, one of many
 * takes several for each kind, and a value of many rows is counted in parts (count-in-parts.ts).
 */
export function* findWrongCounts(db: Connection): Steps {
  const end = db.prepare<[{ from: number }], number | null>(END_OF_SPACES).pluck()
  const within = 'space_no >= :from AND space_no < :to'
  const compare = comparison<{ from: number; to: number }>(db, {
    kept: within,
    counted: COUNT_KINDS.map((kind) => countedApart(kind, () => within)),
  })
  let checkSpace: ((space: number) => Steps) | undefined
  for (let from: number | null = Number.MIN_SAFE_INTEGER; from !== null; ) {
    const to: number | null = end.get({ from }) ?? null
    if (to === from) {
      checkSpace ??= spaceCheck(db)
      yield* checkSpace(from)
      from += 1
    } else {
      yield compare({ from, to: to ?? Number.MAX_SAFE_INTEGER })
      from = to
    }
  }
}

/** The first space that does not lie wholly within the next rows of each table. */
const END_OF_SPACES = leastBehind(
  'space_no',
  [
    'memories INDEXED BY memories_by_time',
    'memory_tags',
    'entities INDEXED BY entities_by_time',
    'relations INDEXED BY relations_by_time',
    'counts',
  ].map((rows) => `SELECT space_no FROM ${rows} WHERE space_no >= :from ORDER BY space_no`),
)

/** Of what stands behind the rows of one step in each. NULL when nothing does. */
function leastBehind(column: string, ordered: string[]): string {
  const behind = ordered.map((sql) => `SELECT * FROM (${sql} LIMIT 1 OFFSET ${STEP_ROWS})`)
  return `SELECT MIN(${column}) FROM (${behind.join(' UNION ALL ')})`
}

/** `kept`: which counts, and `counted` selects what they have to be. */
function comparison<Range extends object>(
  db: Connection,
  { kept, counted }: { kept: string; counted: string[] },
) {
  const rows = ['SELECT space_no, kind, value, count FROM counts WHERE FALSE', ...counted].join(
    ' UNION ALL ',
  )
  const differ = db.prepare<[Range]>(
    `SELECT 1 FROM (
       SELECT space_no, kind, value, count FROM counts WHERE ${kept}
       UNION ALL SELECT space_no, kind, value, -count FROM (${rows}))
     GROUP BY space_no, kind, value HAVING SUM(count) <> 0 LIMIT 1`,
  )
  const mend = db.transaction((range: Range) => {
    db.prepare<[Range]>(`DELETE FROM counts WHERE ${kept}`).run(range)
    db.prepare<[Range]>(
      `INSERT INTO counts (space_no, kind, value, count)
       SELECT space_no, kind, value, SUM(count) FROM (${rows}) GROUP BY 1, 2, 3`,
    ).run(range)
  })
  return (range: Range): WrongCounts | undefined =>
    differ.get(range) === undefined ? undefined : { mend: () => mend.immediate(range) }
}

/** For spaces of many rows. */
function spaceCheck(db: Connection): (space: number) => Steps {
  const checks = COUNT_KINDS.map((kind) => ({ kind, check: kindCheck(db, kind) }))
  // Those of no kind. `NOT IN` would look at all.
  const compareOthers = comparison<{ space: number; after: string; before: string | Buffer }>(db, {
    kept: 'space_no = :space AND kind > :after AND kind < :before',
    counted: [],
  })
  return function* (space) {
    let after = ''
    for (const { kind, check } of checks) {
      yield compareOthers({ space, after, before: kind })
      yield* check(space)
      after = kind
    }
    yield compareOthers({ space, after, before: ABOVE_ALL })
  }
}

/** The values of one kind, from one on and before another one. */
type Values = { space: number; from: string; to: string | Buffer }

function kindCheck(db: Connection, kind: CountKind): (space: number) => Steps {
  const { listed } = COUNTED[kind]
  const value = valueIn(listed)
  const end = db
    .prepare<[{ space: number; from: string }], string | null>(
      leastBehind('value', [
        // As the index has them: by a constant SQLite would sort them.
        `SELECT ${value} AS value FROM ${listed.from}
         WHERE ${listed.where} AND space_no = :space AND ${value} >= :from
         ORDER BY ${listed.column ?? 'created_at'}`,
        `SELECT value FROM counts
         WHERE space_no = :space AND kind = '${kind}' AND value >= :from ORDER BY value`,
      ]),
    )
    .pluck()
  const within = (of: string): string => `space_no = :space AND ${of} >= :from AND ${of} < :to`
  const compare = comparison<Values>(db, {
    kept: `kind = '${kind}' AND ${within('value')}`,
    counted: [countedApart(kind, within)],
  })
  const isRightInParts = partsCheck(db, kind)
  return function* (space) {
    for (let from: string | undefined = ''; from !== undefined; ) {
      const to: string | undefined = end.get({ space, from }) ?? undefined
      if (to === from) {
        // The text that follows.
        const after: string = `${from}\0`
        if (!(yield* isRightInParts(space, from))) yield compare({ space, from, to: after })
        from = after
      } else {
        yield compare({ space, from, to: to ?? ABOVE_ALL })
        from = to
      }
    }
  }
}
