// Where a filter leaves too much for a scan, a search looks at the memories that it comes upon, and not at all that
// pass: the planner takes those for a few, and would hold each row of the index against every one of them.
import { expect, inject, test, vi } from 'vitest'
import { queryOf } from '../../conformance/records.ts'
import type { MemoryFilter } from '../../store.ts'
import { ownedDatabase } from '../testing/owned-database.ts'
import { pagesRead, stopVacuum } from '../testing/pages-read.ts'

/** So that some hundreds of memories are searched by the index. */
vi.mock('./search-size.ts', () => ({ EXACT_MAX: 20, SCAN_MAX: 100 }))

const server = inject('postgresUrl')
const IN_INDEX = 300
/** They pass as well; vectors of theirs, which would take long to make, would lie far away. */
const OTHERS = 20_000
const TABLES = ['memories']
const PAGES_MAX = OTHERS / 4

const KNOWLEDGE = [
  { knows: 'does not know the tables', sql: 'SELECT 1' },
  { knows: 'knows the tables', sql: 'ANALYZE' },
  {
    knows: 'takes every space for a small one',
    sql: `CREATE TEMP TABLE small AS SELECT space, no
            FROM generate_series(10, 1000) AS space CROSS JOIN generate_series(1, 40) AS no;
          INSERT INTO memories (space_no, no, id, content, user_id, tags, created_at)
            SELECT space, no, 'mem_' || no, 'a', 'user ' || space, '{all}', 1 FROM small;
          INSERT INTO memory_tags SELECT space, 'all', no FROM small;
          INSERT INTO pieces
              (space_no, generation, memory_no, part, start_offset, end_offset, terms, vector)
            SELECT space, 1, no, 0, 0, 1, '{a}', '[1,0,0,0,0]' FROM small;
          ANALYZE`,
  },
]

async function filled(sql: string) {
  const database = await ownedDatabase(server ?? '')
  const { ask, generation, newSpace } = database
  await stopVacuum(ask, TABLES)
  const space = await newSpace()
  // Neighbours in an index lie on different pages, as those of a space that many write to.
  const numbers = `(SELECT no FROM generate_series(1, ${IN_INDEX + OTHERS}) AS no ORDER BY md5(no::text)) AS n`
  await ask(
    `INSERT INTO memories (space_no, no, id, content, user_id, tags, created_at)
     SELECT $1, no, 'mem_' || no, 'a', 'anna', '{all}', no FROM ${numbers}`,
    [space],
  )
  await ask(`INSERT INTO memory_tags SELECT $1, 'all', no FROM ${numbers}`, [space])
  await ask(
    `INSERT INTO pieces
       (space_no, generation, memory_no, part, start_offset, end_offset, terms, vector, code)
     SELECT $1, $2, no, 0, 0, 1, '{a}', vector, vector::halfvec
     FROM generate_series(1, ${IN_INDEX}) AS no
     CROSS JOIN LATERAL (SELECT l2_normalize(ARRAY[1, no / 100.0, 0, 0, 0]::vector) AS vector) AS near`,
    [space, generation],
  )
  await ask("INSERT INTO term_counts VALUES ($1, $2, '', $3)", [
    space,
    generation,
    IN_INDEX + OTHERS,
  ])
  await ask(sql)
  await ask('SELECT pg_stat_force_next_flush()')
  return { ...database, space }
}

test
  .skipIf(server === undefined)
  .each(
    KNOWLEDGE.flatMap((knowledge) =>
      [{ userId: 'anna' }, { tags: ['all'] }, { userId: 'anna', tags: ['all'] }].map(
        (filter: MemoryFilter) => ({ ...knowledge, filter }),
      ),
    ),
  )('by $filter, where the planner $knows', async ({ sql, filter }) => {
  const { ask, store, generation, space } = await filled(sql)
  const before = await pagesRead(ask, TABLES)
  const found = await store
    .forSpace(space)
    .memories.search(queryOf([1, 0, 0, 0, 0]), filter, { limit: 20, threshold: 0 }, generation)
  expect(found.map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, no) => `mem_${no + 1}`))
  // What a connection has read is known when it ends.
  await store.close()
  await expect.poll(() => pagesRead(ask, TABLES)).toBeGreaterThan(before)
  expect((await pagesRead(ask, TABLES)) - before).toBeLessThan(PAGES_MAX)
})
