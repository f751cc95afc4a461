// Spaces in which few memories have most of the rows, or many memories say the same: above the size
// that is scored whole, a search answers as many as were asked for, and the newest of equal ones.
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { passageOf, queryOf, termOf } from '../../conformance/records.ts'
import { MODEL } from '../../conformance/subject.ts'
import type { SpaceId } from '../../records.ts'
import type { MemoryFilter } from '../../store.ts'
import { toText } from '../pieces.ts'
import { INDEXED_DIMENSION_MAX } from '../reembedding/generations.ts'
import { openPostgresReembedding } from '../reembedding/open-reembedding.ts'
import { type OwnedDatabase, ownedDatabase } from '../testing/owned-database.ts'
import { settingsLeft } from '../testing/settings-left.ts'
import { EXACT_MAX, SCAN_MAX } from './search-size.ts'

const server = inject('postgresUrl')
const OTHERS = 2_600
/** Those have these rows each: more than are read of the index at first. */
const LONG = 2
const ROWS_OF_LONG = 121
const QUERY = [1, 0, 0, 0, 0]

type Row = { no: number; part: number; vector: string }

/** Memories of which each is a little further from the query; the nearest two have many rows. */
const nearestAreLong = (directionOf = around): Row[] =>
  Array.from({ length: LONG + OTHERS }, (_, no) =>
    Array.from({ length: no < LONG ? ROWS_OF_LONG : 1 }, (_, part) =>
      rowAt(0.5 + (no + part / 1_000) * 0.001, { no: no + 1, part }, directionOf(no + part)),
    ),
  ).flat()

/** At an angle to the query. */
function rowAt(angle: number, row: Omit<Row, 'vector'>, direction: number[]): Row {
  const rest = direction.map((value) => value * Math.sin(angle))
  const { vector } = passageOf(0, 1, [Math.cos(angle), ...rest])
  return { ...row, vector: toText(vector) }
}

/** Any direction of four dimensions, of length one. */
function around(number: number): number[] {
  const turns = [number * Math.SQRT2, number * Math.E, number * Math.PI]
  const [one = 0, two = 0, three = 0] = turns.map((turn) => (turn % 1) * 2 * Math.PI)
  const share = Math.sin(three)
  const rest = Math.cos(three)
  return [share * Math.cos(one), share * Math.sin(one), rest * Math.cos(two), rest * Math.sin(two)]
}

/** As the store keeps them when all was counted; `code` is what places a row in the index. */
async function fill(
  { ask, generation, newSpace }: OwnedDatabase,
  rows: Row[],
  { areIndexed }: { areIndexed: boolean },
): Promise<SpaceId> {
  const space = await newSpace()
  const columns = [rows.map(({ no }) => no), rows.map(({ part }) => part)]
  await ask(
    `INSERT INTO memories (space_no, no, id, content, user_id, tags, created_at)
     SELECT $1, no, 'mem_' || no, 'memory ' || no, 'anna', '{}', no FROM unnest($2::bigint[]) AS no`,
    [space, [...new Set(columns[0])]],
  )
  await ask(
    `INSERT INTO pieces
       (space_no, generation, memory_no, part, start_offset, end_offset, terms, vector, code)
     SELECT $1, $2, no, part, 0, 1, CASE part WHEN 0 THEN '{memory}'::text[] END, vector::vector,
       CASE WHEN $6 THEN vector::vector::halfvec END
     FROM unnest($3::bigint[], $4::int[], $5::text[]) AS row (no, part, vector)`,
    [space, generation, ...columns, rows.map(({ vector }) => vector), areIndexed],
  )
  await ask("INSERT INTO term_counts VALUES ($1, $2, '', $3)", [
    space,
    generation,
    new Set(columns[0]).size,
  ])
  return space
}

describe.skipIf(server === undefined)('a large space', () => {
  test('of vectors that are too long for an index is searched without one', async () => {
    const database = await ownedDatabase(server ?? '')
    const { ask, options, store } = database
    const mover = await openPostgresReembedding(options)
    onTestFinished(() => mover.close())
    const dimension = INDEXED_DIMENSION_MAX + 1
    const { number } = await mover.begin({ ...MODEL, id: 'long', dimension })
    const axis = (place: number) =>
      Array.from({ length: dimension }, (_, at) => Number(at === place))
    const rows = Array.from({ length: 210 }, (_, no) => ({
      no: no + 1,
      part: 0,
      vector: `[${axis(no)}]`,
    }))
    const space = await fill({ ...database, generation: number }, rows, { areIndexed: false })
    // As if there were so many; the others have no vectors here, which would take their time.
    await ask('UPDATE term_counts SET memories = $1', [EXACT_MAX + 1])
    expect(await mover.switchOver({ restMax: 0, waitMsMax: 1_000, embed: async () => [] })).toBe(
      true,
    )
    expect(await ask('SELECT count(code)::int AS codes FROM pieces')).toEqual([{ codes: 0 }])
    const [nearest] = await store
      .forSpace(space)
      .memories.search(queryOf(axis(7)), {}, { limit: 1, threshold: 0 }, number)
    expect(nearest).toMatchObject({ id: 'mem_8', score: 1 })
  })

  test.each([
    ['by the index', true],
    ['by a scan', false],
  ])(
    'whose nearest memories have hundreds of rows is searched %s for as many memories as asked',
    async (_, areIndexed) => {
      const database = await ownedDatabase(server ?? '')
      const space = await fill(database, nearestAreLong(), { areIndexed })
      const { memories } = database.store.forSpace(space)
      const search = (limit: number, filter: MemoryFilter = {}) =>
        memories.search(queryOf(QUERY), filter, { limit, threshold: 0 }, database.generation)
      for (const filter of [{}, { userId: 'anna' }]) {
        for (const limit of [10, 100]) {
          const found = await search(limit, filter)
          const nearest = Array.from({ length: limit }, (_, no) => `mem_${no + 1}`)
          expect(new Set(found.map(({ id }) => id))).toEqual(new Set(nearest))
        }
      }
      const { store, options } = database
      expect(await settingsLeft(store, options.url, 1), 'what searches left set').toEqual([])
    },
  )

  test('is searched for each part of a query, also where hundreds of rows are nearest to one of them', async () => {
    const database = await ownedDatabase(server ?? '')
    const { ask, generation, store } = database
    // Rows come in their exact order without it.
    await ask(`DROP INDEX pieces_near_${generation}`)
    const other = [0, 0, 0, 0, 1]
    const nearOther = Array.from({ length: 300 }, (_, no) =>
      rowAt(Math.PI / 2, { no: LONG + OTHERS + no + 1, part: 0 }, [0, 0, no / 300, 1]),
    )
    const rows = [...nearestAreLong(() => [1, 0, 0, 0]), ...nearOther]
    const space = await fill(database, rows, { areIndexed: true })
    // As if there were so many: no scan makes up for what was not told.
    await ask('UPDATE term_counts SET memories = $1', [SCAN_MAX + 1])
    const parts = [queryOf(other), queryOf(QUERY)].flatMap((query) => query.parts)
    for (const inTurn of [parts, parts.toReversed()]) {
      const query = queryOf(QUERY, { parts: inTurn })
      const cut = { limit: 1, threshold: 0 }
      const [best] = await store.forSpace(space).memories.search(query, {}, cut, generation)
      expect(nearOther.map(({ no }) => `mem_${no}`)).toContain(best?.id)
    }
  })

  test('of equal memories answers the newest, whichever instance has numbered them', async () => {
    const database = await ownedDatabase(server ?? '')
    const { ask, generation } = database
    const count = EXACT_MAX + 200
    const vector = toText(passageOf(0, 1, QUERY).vector)
    const rows = Array.from({ length: count }, (_, no) => ({ no: no + 1, part: 0, vector }))
    const space = await fill(database, rows, { areIndexed: true })
    // Numbers say nothing about the order, and many come at the same time.
    await ask('UPDATE memories SET created_at = (no BETWEEN 1000 AND 1699)::int')
    await ask(`INSERT INTO piece_terms SELECT $1, $2, 'memory', no, 0 FROM memories`, [
      space,
      generation,
    ])
    await ask("INSERT INTO term_counts VALUES ($1, $2, 'memory', $3)", [space, generation, count])
    const { memories } = database.store.forSpace(space)
    const found = await memories.search(
      queryOf(QUERY, { terms: [termOf('memory')] }),
      {},
      { limit: 10, threshold: 0 },
      generation,
    )
    const newest = 'SELECT id FROM memories ORDER BY created_at DESC, id DESC LIMIT 10'
    expect(found.map(({ id }) => ({ id }))).toEqual(await ask(newest))
    // Without the index all is scanned.
    await ask('UPDATE pieces SET code = NULL')
    const scanned = await memories.search(
      queryOf(QUERY),
      {},
      { limit: 10, threshold: 0 },
      generation,
    )
    expect(scanned.map(({ id }) => id)).toEqual(found.map(({ id }) => id))
  })

  test('whose terms an instance that ended has left uncounted is counted after a search', async () => {
    const { ask, store, generation, newSpace } = await ownedDatabase(server ?? '')
    const space = await newSpace()
    await ask(
      `INSERT INTO uncounted SELECT $1, $2, no, '{"",coffee}' FROM generate_series(1, 300) AS no`,
      [space, generation],
    )
    const { memories } = store.forSpace(space)
    await memories.search(queryOf(QUERY), {}, { limit: 10, threshold: 0 }, generation)
    await expect.poll(() => ask('SELECT * FROM uncounted')).toEqual([])
  })

  test('whose terms wait in such numbers that a search cannot read them is counted after it', async () => {
    const { ask, store, generation, newSpace } = await ownedDatabase(server ?? '', {
      connectMs: 2_500,
      statementMs: 1_000,
      lockMs: 3_000,
    })
    const space = await newSpace()
    await ask(
      `INSERT INTO uncounted SELECT $1, $2, no, '{"",coffee}' FROM generate_series(1, 100) AS no`,
      [space, generation],
    )
    const { memories } = store.forSpace(space)
    await ask('BEGIN; LOCK TABLE uncounted')
    const search = memories.search(queryOf(QUERY), {}, { limit: 10, threshold: 0 }, generation)
    await expect(search).rejects.toMatchObject({ kind: 'unavailable' })
    await ask('ROLLBACK')
    await expect.poll(() => ask('SELECT * FROM uncounted')).toEqual([])
  })
})
