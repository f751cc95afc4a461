// Re-embedding beside servers under load: what it leaves to the searches after the switch, and whom it
// holds up. What each step does is said in conformance/reembedding.suite.ts.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { urlOfDatabase } from '../../../testing/postgres.ts'
import { memoryOf, NO_RECEIPT, pieceOf, queryOf } from '../../conformance/records.ts'
import { MODEL } from '../../conformance/subject.ts'
import type { ReembeddingStore } from '../../generation.ts'
import type { SpaceId } from '../../records.ts'
import { EXACT_MAX } from '../search/search-size.ts'
import { openStoreAt } from '../testing/open-store-at.ts'
import { type OwnedDatabase, ownedDatabase } from '../testing/owned-database.ts'
import { openPostgresReembedding } from './open-reembedding.ts'

const server = inject('postgresUrl')
const OTHER = { ...MODEL, id: 'other' }
const NO_REST = { restMax: 0, waitMsMax: 1_000, embed: async () => [] }

async function open() {
  const database = await ownedDatabase(server ?? '')
  const mover = await openPostgresReembedding(database.options)
  onTestFinished(() => mover.close())
  return { ...database, mover }
}

describe.skipIf(server === undefined)('re-embedding', () => {
  test.each([
    ['that nobody has counted', 'SELECT 1'],
    [
      'that a process counted which ended then',
      `WITH waiting AS (DELETE FROM uncounted RETURNING *)
       INSERT INTO term_counts SELECT space_no, generation, term, count(*)
       FROM waiting, unnest(terms) AS term GROUP BY space_no, generation, term`,
    ],
  ])(
    'of memories %s leaves nothing to count, and no row of a large space without its place in the index',
    async (_, before) => {
      const { ask, generation, newSpace, mover } = await open()
      const [small, large] = [await newSpace(), await newSpace()]
      const count = EXACT_MAX + 100
      await ask(
        `INSERT INTO memories (space_no, no, id, content, user_id, tags, created_at)
       SELECT CASE WHEN no > 50 THEN $1 ELSE $2::bigint END, no, 'mem_' || no, 'memory', 'anna', '{}', no
       FROM generate_series(1, $3::int) AS no`,
        [large, small, count + 50],
      )
      // As `add` leaves them.
      const fill = (of: number): Promise<unknown> =>
        ask(
          `WITH filled AS (
           INSERT INTO pieces
             (space_no, generation, memory_no, part, start_offset, end_offset, terms, vector)
           SELECT space_no, $1, no, 0, 0, 1, '{memory}', '[1,0,0,0,0]' FROM memories
           RETURNING space_no, memory_no)
         INSERT INTO uncounted SELECT space_no, $1, memory_no, '{"",memory}' FROM filled`,
          [of],
        )
      await fill(generation)
      const { number } = await mover.begin(OTHER)
      await fill(number)
      await ask(before)
      expect(await mover.switchOver(NO_REST)).toBe(true)
      expect(await ask('SELECT * FROM uncounted WHERE generation = $1', [number])).toEqual([])
      const counts = await ask(
        `SELECT space_no AS space, memories FROM term_counts WHERE generation = $1 AND term = 'memory'
       ORDER BY space_no`,
        [number],
      )
      expect(counts.map(({ memories }) => memories)).toEqual([50, count])
      const codes = await ask(
        'SELECT count(code)::int AS codes FROM pieces WHERE generation = $1',
        [number],
      )
      expect(codes).toEqual([{ codes: count }])
    },
  )

  test('a memory that is deleted meanwhile leaves no word of it in the counts of either generation', async () => {
    const { ask, store, generation, newSpace, mover } = await open()
    const { memories } = store.forSpace(await newSpace())
    const memory = memoryOf({ content: 'quibbleworth' })
    await memories.insert(memory, [pieceOf(memory.content)], NO_RECEIPT, generation)
    await mover.begin(OTHER)
    // Counted in the one generation, and not yet in the other.
    await ask(
      `WITH waiting AS (DELETE FROM uncounted RETURNING *)
       INSERT INTO term_counts SELECT space_no, generation, unnest(terms), 1 FROM waiting`,
    )
    const missing = await mover.missing({ memoriesMax: 10, charactersMax: 1_000 })
    await mover.add(missing.map(({ ref }) => ({ ref, pieces: [pieceOf(memory.content)] })))
    expect(await ask('SELECT terms FROM uncounted')).toHaveLength(1)
    await memories.remove(memory.id, NO_RECEIPT)
    expect(await ask('SELECT term FROM term_counts')).toEqual([])
    expect(await ask('SELECT terms FROM uncounted')).toEqual([])
  })

  test('tells memories of two spaces apart that have one number, as a new primary may have given it again', async () => {
    const { ask, options, generation, newSpace, mover } = await open()
    const contents = ['coffee', 'a cup of tea']
    const spaces: SpaceId[] = []
    for (const content of contents) {
      await ask("SELECT setval('memory_numbers', 1)")
      const instance = await openStoreAt(options.url, 2)
      const space = await newSpace()
      const { memories } = instance.forSpace(space)
      await memories.insert(memoryOf({ content }), [pieceOf(content)], NO_RECEIPT, generation)
      await instance.close()
      spaces.push(space)
    }
    const { number } = await mover.begin(OTHER)
    const missing = await mover.missing({ memoriesMax: 10, charactersMax: 1_000 })
    await mover.add(missing.map(({ ref, content }) => ({ ref, pieces: [pieceOf(content)] })))
    const embedded = await ask(
      'SELECT space_no::int AS space, end_offset FROM pieces WHERE generation = $1 ORDER BY 1',
      [number],
    )
    expect(embedded).toEqual(
      spaces.map((space, place) => ({ space, end_offset: contents[place]?.length })),
    )
  })

  test('leaves no count of old words, also when another instance counts them while they are removed', async () => {
    const { ask, store, generation, newSpace, mover } = await open()
    const memory = memoryOf({ content: 'quibbleworth' })
    const { memories } = store.forSpace(await newSpace())
    await memories.insert(memory, [pieceOf(memory.content)], NO_RECEIPT, generation)
    await mover.begin(OTHER)
    expect(
      await mover.switchOver({
        ...NO_REST,
        restMax: 1,
        embed: async (content) => [pieceOf(content)],
      }),
    ).toBe(true)
    await ask('BEGIN')
    await ask(
      `WITH waiting AS (DELETE FROM uncounted WHERE generation = $1 RETURNING *)
       INSERT INTO term_counts SELECT space_no, generation, unnest(terms), 1 FROM waiting`,
      [generation],
    )
    const removed = removeAll(mover)
    const waiting = 'SELECT FROM pg_locks WHERE pg_backend_pid() = ANY(pg_blocking_pids(pid))'
    await expect.poll(() => ask(waiting)).not.toEqual([])
    await ask('COMMIT')
    await removed
    const counts = 'SELECT term FROM term_counts WHERE generation = $1'
    expect(await ask(counts, [generation])).toEqual([])
  })

  test('looks at each memory once while creates wait for the switch, also before the database knows its tables', async () => {
    const database = await ownedDatabase(server ?? '')
    const { ask, generation, newSpace } = database
    const mover = await openPostgresReembedding(database.options)
    const [space, count] = [await newSpace(), 20_000]
    await ask(
      `INSERT INTO memories (space_no, no, id, content, user_id, tags, created_at)
       SELECT $1 + no % 50, no, 'mem_' || no, 'memory', 'anna', '{}', no
       FROM generate_series(1, $2::int) AS no`,
      [space, count],
    )
    const { number } = await mover.begin(OTHER)
    for (const each of [generation, number]) {
      await ask(
        `INSERT INTO pieces (space_no, generation, memory_no, part, start_offset, end_offset, vector)
         SELECT space_no, $1, no, 0, 0, 1, '[1,0,0,0,0]' FROM memories`,
        [each],
      )
    }
    await ask('SELECT pg_stat_force_next_flush()')
    const before = await rowsRead(ask)
    expect(await mover.missing({ memoriesMax: 32, charactersMax: 1_000 })).toEqual([])
    expect(await mover.switchOver(NO_REST)).toBe(true)
    // What a connection has read is known when it ends.
    await mover.close()
    // Once page by page, once before the lock, and once under it; and the pieces for each of them.
    await expect.poll(() => rowsRead(ask)).toBeGreaterThanOrEqual(before + 2 * count)
    expect((await rowsRead(ask)) - before).toBeLessThan(12 * count)
  })

  test.each([
    { knows: 'does not know', sql: 'SELECT 1' },
    { knows: 'knows', sql: 'ANALYZE pieces; ANALYZE spaces' },
  ])(
    'removes old vectors without reading again what it has removed, where the planner $knows the tables',
    async ({ sql }) => {
      const database = await ownedDatabase(server ?? '')
      const { ask, generation, newSpace } = database
      const [space, ...others] = [await newSpace(), await newSpace(), await newSpace()]
      const mover = await openPostgresReembedding(database.options)
      const count = 8_000
      await ask(
        `INSERT INTO memories (space_no, no, id, content, user_id, tags, created_at)
       SELECT $1 + no % $2, no, 'mem_' || no, 'memory', 'anna', '{}', no
       FROM generate_series(1, $3::int) AS no`,
        [space, 1 + others.length, count],
      )
      const { number } = await mover.begin(OTHER)
      await mover.discard()
      for (const each of [generation, number]) {
        await ask(
          `INSERT INTO pieces (space_no, generation, memory_no, part, start_offset, end_offset, vector)
         SELECT space_no, $1, no, 0, 0, 1, '[1,0,0,0,0]' FROM memories`,
          [each],
        )
      }
      await ask(
        `INSERT INTO piece_terms (space_no, generation, term, memory_no, part)
         SELECT space_no, generation, term, memory_no, part
         FROM pieces CROSS JOIN unnest(ARRAY['coffee', 'tea']) AS term`,
      )
      await ask(sql)
      await ask('SELECT pg_stat_force_next_flush()')
      // While it lasts, nothing that is removed leaves the indexes.
      const old = new pg.Client({ connectionString: urlOfDatabase(server ?? '', 'postgres') })
      await old.connect()
      onTestFinished(() => old.end())
      await old.query('BEGIN; SELECT pg_current_xact_id()')
      const before = await rowsRead(ask)
      await removeAll(mover)
      await mover.close()
      await expect.poll(() => rowsRead(ask)).toBeGreaterThanOrEqual(before + count)
      expect((await rowsRead(ask)) - before).toBeLessThan(12 * count)
      for (const table of ['pieces', 'piece_terms']) {
        expect(await ask(`SELECT DISTINCT generation FROM ${table}`)).toEqual([{ generation }])
      }
    },
  )

  test('that was begun anew removes the vectors that it gave up, and later those that it replaced', async () => {
    const { ask, store, generation, newSpace, mover } = await open()
    const { memories } = store.forSpace(await newSpace())
    const memory = memoryOf()
    await memories.insert(memory, [pieceOf(memory.content)], NO_RECEIPT, generation)
    const embedAll = async (): Promise<void> => {
      const missing = await mover.missing({ memoriesMax: 1, charactersMax: 1_000 })
      await mover.add(missing.map(({ ref, content }) => ({ ref, pieces: [pieceOf(content)] })))
    }
    await mover.begin(OTHER)
    await embedAll()
    await mover.discard()
    await removeAll(mover)
    const { number } = await mover.begin(OTHER)
    await embedAll()
    expect(await mover.switchOver(NO_REST)).toBe(true)
    await removeAll(mover)
    for (const table of ['pieces', 'piece_terms', 'term_counts']) {
      const left = await ask(`SELECT DISTINCT generation FROM ${table}`)
      expect(left, table).toEqual([{ generation: number }])
    }
  })

  test('that stands still in the middle of its switch holds up creates for seconds, not minutes', async () => {
    const { store, generation, newSpace, mover } = await open()
    const { memories } = store.forSpace(await newSpace())
    const create = (): Promise<void> => {
      const memory = memoryOf()
      return memories.insert(memory, [pieceOf(memory.content)], NO_RECEIPT, generation)
    }
    await create()
    await mover.begin(OTHER)
    const isReached = Promise.withResolvers<void>()
    const stopped = Promise.withResolvers<never>()
    const embed = () => {
      isReached.resolve()
      return stopped.promise
    }
    const switched = mover.switchOver({ restMax: 1, waitMsMax: 600_000, embed })
    await isReached.promise
    await expect(create()).rejects.toMatchObject({ kind: 'unavailable' })
    await expect.poll(() => create().then(() => 'created', String)).toBe('created')
    stopped.reject(new Error('It goes on too late.'))
    await expect(switched).rejects.toThrow('It goes on too late.')
  })

  test.each<[string, string]>([
    ['a long reader', 'SELECT FROM pieces LIMIT 1'],
    ['a long writer', 'DELETE FROM pieces WHERE false'],
  ])('beside %s holds nobody else up', async (_, statement) => {
    const { ask, store, generation, newSpace, mover } = await open()
    const { memories } = store.forSpace(await newSpace())
    const use = async (current: number): Promise<void> => {
      const memory = memoryOf()
      await memories.insert(memory, [pieceOf(memory.content)], NO_RECEIPT, current)
      const everything = { limit: 10, threshold: 0 }
      expect(await memories.search(queryOf([1, 0, 0, 0, 0]), {}, everything, current)).toHaveLength(
        1,
      )
      expect(await memories.remove(memory.id, NO_RECEIPT)).toBe(true)
    }
    const beside = async <Result>(work: Promise<Result>, current: number): Promise<Result> => {
      // It has asked for the table, if it ever does.
      await sleep(500)
      const used = use(current).finally(() => ask('ROLLBACK'))
      await Promise.all([used, work])
      return work
    }
    await ask(`BEGIN; ${statement}`)
    const { number } = await beside(mover.begin(OTHER), generation)
    expect(await mover.switchOver(NO_REST)).toBe(true)
    await ask(`BEGIN; ${statement}`)
    await beside(removeAll(mover), number)
    expect((await mover.state()).hasRetired).toBe(false)
    expect(await ask("SELECT relname FROM pg_class WHERE relname LIKE 'pieces_near_%'")).toEqual([
      { relname: `pieces_near_${number}` },
    ])
  })
})

test.skipIf(server === undefined)(
  'a move that cannot begin says so, and begins no more once it is stopped',
  async () => {
    const { ask, mover } = await open()
    await ask('BEGIN; DELETE FROM pieces WHERE false')
    const stop = new AbortController()
    let waits = 0
    const onWait = (): void => {
      waits += 1
      if (waits === 2) stop.abort(new Error('It is stopped.'))
    }
    const begun = mover.begin(OTHER, { stop: stop.signal, onWait })
    await expect(begun).rejects.toThrow('It is stopped.')
    expect(waits).toBe(2)
    await ask('ROLLBACK')
    expect((await mover.state()).growing).toBeUndefined()
  },
)

async function removeAll(mover: ReembeddingStore): Promise<void> {
  while (await mover.removeRetired());
}

/** Of memories and pieces, in scans of tables and of indexes, by whoever has told of them. */
async function rowsRead(ask: OwnedDatabase['ask']): Promise<number> {
  const [row] = await ask(
    `SELECT (SELECT sum(seq_tup_read) FROM pg_stat_user_tables WHERE relname ~ '^(memories|pieces|piece_terms)_')
       + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname ~ '^(memories|pieces|piece_terms)_')
       AS read`,
  )
  return Number(row?.['read'])
}
