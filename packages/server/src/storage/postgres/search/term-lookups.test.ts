// Whatever the planner knows of a space, the terms of one memory are looked up one by one: what a deletion or
// a search reads depends on them, and not on how many words the space has.
import { expect, inject, onTestFinished, test } from 'vitest'
import { NO_RECEIPT } from '../../conformance/records.ts'
import { Database } from '../connection/database.ts'
import { ownedDatabase } from '../testing/owned-database.ts'
import { pagesRead, stopVacuum } from '../testing/pages-read.ts'
import { countTerms } from '../upkeep/term-counts.ts'

const server = inject('postgresUrl')
const WORDS = 150
const OTHER_WORDS = 150_000
const TABLES = ['piece_terms', 'term_counts']
/** For one word, in the indexes and the rows of terms and of counts. */
const PAGES_MAX = { ofRemoval: 40, ofLookup: 8 }

const KNOWLEDGE = [
  { knows: 'does not know the tables', sql: 'SELECT 1' },
  { knows: 'knows the tables', sql: 'ANALYZE' },
  {
    knows: 'takes every space for a small one',
    sql: `INSERT INTO term_counts
            SELECT no, 1, word, 1 FROM generate_series(10, 40000) AS no, unnest('{a,b}'::text[]) AS word;
          INSERT INTO piece_terms
            SELECT no, 1, word, 1, 0 FROM generate_series(10, 40000) AS no, unnest('{a,b}'::text[]) AS word;
          ANALYZE`,
  },
]

/** A space with many words, and a memory that has a few others. All is counted. */
async function filled(sql: string) {
  const database = await ownedDatabase(server ?? '')
  const { ask, generation, newSpace } = database
  await stopVacuum(ask, TABLES)
  const space = await newSpace()
  const words = Array.from({ length: WORDS }, (_, n) => `word${n}`)
  await ask(
    `INSERT INTO memories (space_no, no, id, content, user_id, tags, created_at)
     VALUES ($1, 1, 'mem_1', 'words', 'anna', '{}', 1)`,
    [space],
  )
  await ask(
    `INSERT INTO pieces (space_no, generation, memory_no, part, start_offset, end_offset, terms, vector)
     VALUES ($1, $2, 1, 0, 0, 1, $3, '[1,0,0,0,0]')`,
    [space, generation, words],
  )
  await ask(
    `INSERT INTO piece_terms
     SELECT $1::bigint, $2::int, term, 1, 0 FROM unnest($3::text[]) AS term
     UNION ALL SELECT $1::bigint, $2::int, 'other' || n, 2 + n / 20, 0 FROM generate_series(1, $4::int) AS n`,
    [space, generation, words, OTHER_WORDS],
  )
  await ask(
    `INSERT INTO term_counts SELECT space_no, generation, term, 1 FROM piece_terms
     UNION ALL VALUES ($1::bigint, $2::int, '', 2 + $3::int / 20)`,
    [space, generation, OTHER_WORDS],
  )
  await ask(sql)
  await ask('SELECT pg_stat_force_next_flush()')
  return { ...database, space, words, before: await pagesRead(ask, TABLES) }
}

test.skipIf(server === undefined).each(KNOWLEDGE)(
  'the words of a memory are counted and deleted without reading those of others, where the planner $knows',
  async ({ sql }) => {
    const { ask, options, store, generation, space, words, before } = await filled(sql)
    const own = new Database({ ...options, role: 'mnemograph_service', connectionsMax: 1 })
    onTestFinished(() => own.close())
    const counts = await own.inSpace(space, (transaction) =>
      countTerms(transaction, { space, generation }, words),
    )
    expect(words.map((word) => counts.with(word))).toEqual(words.map(() => 1))
    // What a connection has read is known when it ends.
    await own.close()
    await expect.poll(() => pagesRead(ask, TABLES)).toBeGreaterThan(before + WORDS)
    const counted = await pagesRead(ask, TABLES)
    expect(counted - before).toBeLessThan(WORDS * PAGES_MAX.ofLookup)

    expect(await store.forSpace(space).memories.remove('mem_1', NO_RECEIPT)).toBe(true)
    await store.close()
    await expect.poll(() => pagesRead(ask, TABLES)).toBeGreaterThan(counted + WORDS)
    expect((await pagesRead(ask, TABLES)) - counted).toBeLessThan(WORDS * PAGES_MAX.ofRemoval)
    const left = await ask("SELECT term FROM term_counts WHERE term LIKE 'word%'")
    expect(left).toEqual([])
    expect(
      await ask('SELECT term FROM piece_terms WHERE memory_no = 1 AND space_no = $1', [space]),
    ).toEqual([])
  },
)
