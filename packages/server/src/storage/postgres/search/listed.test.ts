// Whatever the planner knows of a space, a search looks up the memories that it is about one by one: what it
// reads depends on them, and not on how many others the space has.
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { queryOf, termOf } from '../../conformance/records.ts'
import { openStoreAt } from '../testing/open-store-at.ts'
import { ownedDatabase } from '../testing/owned-database.ts'
import { pagesRead, stopVacuum } from '../testing/pages-read.ts'

/** So that some tens of memories are already too many to be scored whole. */
vi.mock('./search-size.ts', () => ({ EXACT_MAX: 20, SCAN_MAX: 100 }))

const server = inject('postgresUrl')
const OTHERS = 20_000
const TABLES = ['memories', 'pieces', 'piece_terms']
/** For one memory, in all statements of a search. */
const PAGES_MAX = 40

const KNOWLEDGE = [
  { knows: 'does not know the tables', sql: 'SELECT 1' },
  { knows: 'knows the tables', sql: 'ANALYZE' },
  {
    knows: 'takes every space for a small one',
    sql: `INSERT INTO memories (space_no, no, id, content, user_id, tags, created_at)
            SELECT no, 1, 'mem_1', 'a', 'anna', '{}', 1 FROM generate_series(10, 40000) AS no;
          INSERT INTO pieces
              (space_no, generation, memory_no, part, start_offset, end_offset, terms, vector)
            SELECT no, 1, 1, 0, 0, 1, '{a}', '[1,0,0,0,0]' FROM generate_series(10, 40000) AS no;
          INSERT INTO piece_terms
            SELECT no, 1, 'a', 1, 0 FROM generate_series(10, 40000) AS no;
          ANALYZE`,
  },
]

/** How many memories an agent has: so many of them are scored whole, or scanned for the nearest. */
const SIZES = { whole: 20, scanned: 60 }
const FEW = SIZES.whole + SIZES.scanned

/** A space with many memories, few of which are of an agent and have its word, which is its name. */
async function filled(sql: string) {
  const database = await ownedDatabase(server ?? '')
  const { ask, generation, newSpace } = database
  await stopVacuum(ask, TABLES)
  const space = await newSpace()
  // Neighbours in the index lie on different pages, as those of a space that many write to.
  const agent = `CASE WHEN no <= ${SIZES.whole} THEN 'whole' WHEN no <= ${FEW} THEN 'scanned' END`
  const numbers = `(SELECT no, ${agent} AS agent, coalesce(${agent}, 'other' || no) AS word
    FROM generate_series(1, ${FEW + OTHERS}) AS no ORDER BY md5(no::text)) AS numbered`
  await ask(
    `INSERT INTO memories (space_no, no, id, content, user_id, agent_id, tags, created_at)
     SELECT $1, no, 'mem_' || no, word, 'anna', agent, '{}', no FROM ${numbers}`,
    [space],
  )
  await ask(
    `INSERT INTO pieces (space_no, generation, memory_no, part, start_offset, end_offset, terms, vector)
     SELECT $1, $2, no, 0, 0, 1, ARRAY[word], '[1,0,0,0,0]' FROM ${numbers}`,
    [space, generation],
  )
  await ask(`INSERT INTO piece_terms SELECT $1, $2, word, no, 0 FROM ${numbers}`, [
    space,
    generation,
  ])
  await ask(
    `INSERT INTO term_counts VALUES
       ($1, $2, '', ${FEW + OTHERS}), ($1, $2, 'whole', ${SIZES.whole}), ($1, $2, 'scanned', ${SIZES.scanned})`,
    [space, generation],
  )
  await ask(sql)
  await ask('SELECT pg_stat_force_next_flush()')
  return { ...database, space }
}

test.skipIf(server === undefined).each(KNOWLEDGE)(
  'a search among few memories, whether all are scored or the nearest, reads nothing of others, where the planner $knows',
  async ({ sql }) => {
    const { ask, options, generation, space } = await filled(sql)
    for (const [agentId, few] of Object.entries(SIZES)) {
      const store = await openStoreAt(options.url, 2)
      onTestFinished(() => store.close())
      const before = await pagesRead(ask, TABLES)
      const found = await store
        .forSpace(space)
        .memories.search(
          queryOf([1, 0, 0, 0, 0], { terms: [termOf(agentId)] }),
          { agentId },
          { limit: few, threshold: 0 },
          generation,
        )
      expect(new Set(found.map(({ id }) => id)).size).toBe(few)
      // What a connection has read is known when it ends.
      await store.close()
      await expect.poll(() => pagesRead(ask, TABLES)).toBeGreaterThan(before + few)
      expect((await pagesRead(ask, TABLES)) - before).toBeLessThan(few * PAGES_MAX)
    }
  },
)
