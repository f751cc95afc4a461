// Whatever the planner knows of a space, a search looks up the memories that it is about one by one: what it
// reads depends on them, and not on how many others the space has.
import { expect, inject, test, vi } from 'vitest'
import { queryOf, termOf } from '../../conformance/records.ts'
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

/** A space with many memories, few of which are of an agent and have the query's word. */
async function filled({ few, sql }: { few: number; sql: string }) {
  const database = await ownedDatabase(server ?? '')
  const { ask, generation, newSpace } = database
  await stopVacuum(ask, TABLES)
  const space = await newSpace()
  // Neighbours in the index lie on different pages, as those of a space that many write to.
  const numbers = `(SELECT no, no <= ${few} AS is_own, CASE WHEN no <= ${few} THEN 'word' ELSE 'other' || no END AS word
    FROM generate_series(1, ${few + OTHERS}) AS no ORDER BY md5(no::text)) AS numbered`
  await ask(
    `INSERT INTO memories (space_no, no, id, content, user_id, agent_id, tags, created_at)
     SELECT $1, no, 'mem_' || no, word, 'anna', CASE WHEN is_own THEN 'agent' END, '{}', no FROM ${numbers}`,
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
  await ask("INSERT INTO term_counts VALUES ($1, $2, '', $3), ($1, $2, 'word', $4)", [
    space,
    generation,
    few + OTHERS,
    few,
  ])
  await ask(sql)
  await ask('SELECT pg_stat_force_next_flush()')
  return { ...database, space, before: await pagesRead(ask, TABLES) }
}

const SIZES = [
  { few: 20, as: 'are scored whole' },
  { few: 60, as: 'are scanned for the nearest' },
]

test
  .skipIf(server === undefined)
  .each(KNOWLEDGE.flatMap((knowledge) => SIZES.map((size) => ({ ...knowledge, ...size }))))(
  'a search among few memories, which $as, reads nothing of others, where the planner $knows',
  async ({ few, sql }) => {
    const { ask, store, generation, space, before } = await filled({ few, sql })
    const found = await store
      .forSpace(space)
      .memories.search(
        queryOf([1, 0, 0, 0, 0], { terms: [termOf('word')] }),
        { agentId: 'agent' },
        { limit: few, threshold: 0 },
        generation,
      )
    expect(new Set(found.map(({ id }) => id)).size).toBe(few)
    // What a connection has read is known when it ends.
    await store.close()
    await expect.poll(() => pagesRead(ask, TABLES)).toBeGreaterThan(before + few)
    expect((await pagesRead(ask, TABLES)) - before).toBeLessThan(few * PAGES_MAX)
  },
)
