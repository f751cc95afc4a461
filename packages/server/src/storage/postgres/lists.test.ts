// Whatever the planner knows of a space, a list reads what it shows and counts, and holds no row against all
// others: the time of a page grows with the space, and not with its square.
import { describe, expect, inject, test } from 'vitest'
import type { MemoryFilter } from '../store.ts'
import { ownedDatabase } from './testing/owned-database.ts'
import { pagesRead, stopVacuum } from './testing/pages-read.ts'

const server = inject('postgresUrl')
const RECORDS = 40_000
const TABLES = ['memories', 'memory_tags', 'entities', 'relations']
/** Of a page, of the count beside it, and of all memories once: a fifth of a page for each row. */
const PAGES_MAX = RECORDS / 5

const KNOWLEDGE = [
  { knows: 'does not know the tables', sql: 'SELECT 1' },
  { knows: 'knows the tables', sql: 'ANALYZE' },
  {
    knows: 'takes every space for a small one',
    sql: `INSERT INTO memories (space_no, no, id, content, user_id, agent_id, tags, created_at)
            SELECT no, 1, 'mem_1', 'a', 'anna', 'of half', '{half}', 1 FROM generate_series(10, 40000) AS no;
          INSERT INTO memory_tags SELECT no, 'half', 1 FROM generate_series(10, 40000) AS no;
          INSERT INTO entities (space_no, id, name, name_folded, type, created_at)
            SELECT no, 'ent_1', 'Anna', 'anna', 'PERSON', 1 FROM generate_series(10, 40000) AS no;
          ANALYZE`,
  },
]

/** A space: half of its memories are of an agent and have a tag, and each entity begins a relation. */
async function filled(sql: string) {
  const database = await ownedDatabase(server ?? '')
  const { ask, newSpace } = database
  await stopVacuum(ask, TABLES)
  const space = await newSpace()
  const numbers = `generate_series(1, ${RECORDS}) AS no`
  await ask(
    `INSERT INTO memories (space_no, no, id, content, user_id, agent_id, tags, created_at)
     SELECT $1, no, 'mem_' || no, 'a', 'anna', CASE no % 2 WHEN 0 THEN 'of half' END,
       CASE WHEN no <= 10 THEN ARRAY['few', 'half'] WHEN no % 2 = 0 THEN ARRAY['half'] ELSE '{}' END, no
     FROM ${numbers}`,
    [space],
  )
  await ask(
    `INSERT INTO memory_tags SELECT space_no, unnest(tags), no FROM memories WHERE space_no = $1`,
    [space],
  )
  await ask(
    `INSERT INTO entities (space_no, id, name, name_folded, type, created_at)
     SELECT $1, 'ent_' || no, 'Anna', 'anna', 'PERSON', no FROM ${numbers}`,
    [space],
  )
  await ask(
    `INSERT INTO relations (space_no, id, source_id, target_id, type, created_at)
     SELECT $1, 'rel_' || no, 'ent_' || no, 'ent_' || ${RECORDS} + 1 - no, 'KNOWS', no FROM ${numbers}`,
    [space],
  )
  await ask(sql)
  await ask('SELECT pg_stat_force_next_flush()')
  return { ...database, records: database.store.forSpace(space) }
}

describe.skipIf(server === undefined).each(KNOWLEDGE)('where the planner $knows', ({ sql }) => {
  test('every page by tags comes in the time of a statement', async () => {
    const { records } = await filled(sql)
    const half = RECORDS / 2 + 5
    const lastOf = async (filter: MemoryFilter, total: number) => {
      const limit = 20
      const page = await records.memories.page(filter, { page: Math.ceil(total / limit), limit })
      return [page.total, page.items.at(-1)?.id]
    }
    expect(await lastOf({ tags: ['half'] }, half)).toEqual([half, 'mem_1'])
    expect(await lastOf({ tags: ['half'], userId: 'anna' }, half)).toEqual([half, 'mem_1'])
    const ofAgent = { tags: ['half'], agentId: 'of half' }
    expect(await lastOf(ofAgent, half - 5)).toEqual([half - 5, 'mem_2'])
    expect(await lastOf({ tags: ['half', 'few'] }, 10)).toEqual([10, 'mem_1'])
    expect(await lastOf({ tags: ['few', 'half'], agentId: 'of half' }, 5)).toEqual([5, 'mem_2'])
  }, 30_000)

  test('a page of relations reads those that it shows, and a look for a name each memory once', async () => {
    const { ask, records, store } = await filled(sql)
    const before = await pagesRead(ask, TABLES)
    const { items, total } = await records.relations.page({}, { page: 2, limit: 2 })
    expect([total, items.map(({ id }) => id)]).toEqual([
      RECORDS,
      [`rel_${RECORDS - 2}`, `rel_${RECORDS - 3}`],
    ])
    expect(items[0]).toMatchObject({ source: { name: 'Anna' }, target: { id: 'ent_3' } })
    const mentions = await records.graph.mentions('Zoe', { after: undefined, limit: 20 })
    expect(mentions).toEqual({ items: [], next: undefined })
    // What a connection has read is known when it ends.
    await store.close()
    await expect.poll(() => pagesRead(ask, TABLES)).toBeGreaterThan(before)
    expect((await pagesRead(ask, TABLES)) - before).toBeLessThan(PAGES_MAX)
  })
})
