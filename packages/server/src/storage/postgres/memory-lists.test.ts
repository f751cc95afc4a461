// Lists by tags are those of the rows by either way of finding them, and a page of a tag that many memories have is
// found without a look at all of these.
import { describe, expect, inject, test } from 'vitest'
import type { MemoryFilter } from '../store.ts'
import { openStoreAt } from './testing/open-store-at.ts'
import { type OwnedDatabase, ownedDatabase } from './testing/owned-database.ts'

const server = inject('postgresUrl')
const MEMORIES = 24_000
/** More than are looked at whatever the page is. */
const OLD = 3_000
const LIMIT = 20
/** So many of a user are counted; a user of the test has a few more. */
const FEW_OF_USER = 20_000
/** A page, and some before it in each index; the tag of the test has thousands. */
const READ_MAX = 400

const filters: { filter: MemoryFilter; condition: string }[] = [
  { filter: { tags: ['all'] }, condition: 'true' },
  { filter: { tags: ['half'] }, condition: "'half' = ANY(tags)" },
  { filter: { tags: ['old'] }, condition: "'old' = ANY(tags)" },
  { filter: { tags: ['rare'] }, condition: "'rare' = ANY(tags)" },
  { filter: { tags: ['nobody has it'] }, condition: 'false' },
  { filter: { tags: ['old', 'half'] }, condition: "tags @> '{old,half}'" },
  { filter: { tags: ['all', 'half', 'old', 'third'] }, condition: "tags @> '{half,old,third}'" },
  {
    filter: { tags: ['half'], userId: 'user-10' },
    condition: "'half' = ANY(tags) AND user_id = 'user-10'",
  },
  {
    filter: { tags: ['half'], userId: 'most' },
    condition: "'half' = ANY(tags) AND user_id = 'most'",
  },
  {
    filter: { tags: ['half', 'old'], userId: 'most', agentId: 'agent-1' },
    condition: "tags @> '{old,half}' AND user_id = 'most' AND agent_id = 'agent-1'",
  },
  {
    filter: { tags: ['old', 'half'], agentId: 'agent-1' },
    condition: "tags @> '{old,half}' AND agent_id = 'agent-1'",
  },
  {
    filter: { tags: ['all'], userId: 'user-10', agentId: 'agent-1' },
    condition: "user_id = 'user-10' AND agent_id = 'agent-1'",
  },
]

/** The order of their numbers is not that of their times, of which some are equal. */
async function filledAtOnce({ ask, newSpace }: OwnedDatabase) {
  const space = await newSpace()
  await ask(
    `INSERT INTO memories (space_no, id, content, user_id, agent_id, tags, created_at)
     SELECT $1, 'mem_' || no, 'memory', CASE WHEN no % 10 = 0 THEN 'user-' || no % 50 ELSE 'most' END, 'agent-' || no % 3,
       array_remove(ARRAY['all', CASE WHEN no % 2 = 0 THEN 'half' END, CASE WHEN no % 3 = 0 THEN 'third' END,
         CASE WHEN no * 7919 % $2 < ${OLD} THEN 'old' END, CASE WHEN no % 500 = 0 THEN 'rare' END], NULL),
       no * 7919 % $2 / 2
     FROM generate_series(1, $2::int) AS no`,
    [space, MEMORIES],
  )
  await ask(
    `INSERT INTO memory_tags SELECT space_no, unnest(tags), no FROM memories WHERE space_no = $1`,
    [space],
  )
  await ask('ANALYZE')
  return space
}

describe.skipIf(server === undefined)('a list by tags', () => {
  test('has the rows and the total of its filter on every page, whichever way finds them', async () => {
    const database = await ownedDatabase(server ?? '')
    const space = await filledAtOnce(database)
    const { memories } = database.store.forSpace(space)
    for (const { filter, condition } of filters) {
      const rows = await database.ask(
        `SELECT id FROM memories WHERE space_no = $1 AND ${condition} ORDER BY created_at DESC, id DESC`,
        [space],
      )
      const last = Math.max(1, Math.ceil(rows.length / LIMIT))
      for (const page of new Set([1, 2, Math.ceil(last / 2), last, last + 1])) {
        const { total, items } = await memories.page(filter, { page, limit: LIMIT })
        expect(total).toBe(rows.length)
        expect(items.map(({ id }) => id)).toEqual(
          rows.slice((page - 1) * LIMIT, page * LIMIT).map(({ id }) => id),
        )
      }
    }
  })

  test.each<{ name: string; filter: MemoryFilter; readMax: number }>([
    {
      name: 'among the newest, when many have the tag',
      filter: { tags: ['half'] },
      readMax: READ_MAX,
    },
    {
      name: 'by the tag, when few have it',
      filter: { tags: ['all', 'rare'], userId: 'most' },
      readMax: READ_MAX,
    },
    {
      name: 'by the tag, when many have it and a user very many',
      filter: { tags: ['third'], userId: 'most' },
      // Workers that count together read on for a moment. To count what passes would take as much again.
      readMax: 1.75 * FEW_OF_USER,
    },
  ])('is found $name', async ({ filter, readMax }) => {
    const database = await ownedDatabase(server ?? '')
    const { ask, options } = database
    const space = await filledAtOnce(database)
    const read = async (): Promise<number> => {
      const [row] = await ask(
        `SELECT (SELECT sum(seq_tup_read) FROM pg_stat_user_tables WHERE relname ~ $1)
           + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname ~ $1) AS read`,
        ['^memories_'],
      )
      return Number(row?.['read'])
    }
    const reader = await openStoreAt(options.url, 2)
    await ask('SELECT pg_stat_force_next_flush()')
    const before = await read()
    await reader.forSpace(space).memories.page(filter, { page: 2, limit: LIMIT })
    // What a connection has read is known when it ends.
    await reader.close()
    await expect.poll(read).toBeGreaterThan(before)
    expect((await read()) - before).toBeLessThan(readMax)
  })
})
