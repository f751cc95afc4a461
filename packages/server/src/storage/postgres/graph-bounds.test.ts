// A question over a graph says when it leaves something out, and keeps nothing in memory that it does not
// show. The many rows are put into the tables without the store.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, inject, test } from 'vitest'
import { entityOf, NO_RECEIPT, relationOf } from '../conformance/records.ts'
import { DEGREE_MAX, EDGES_MAX, ROWS_MAX } from '../graph-search.ts'
import { TIMEOUTS } from './connection/connection.ts'
import { ownedDatabase } from './testing/owned-database.ts'

const server = inject('postgresUrl')
const NODES = 5_000
const OTHER_ENTITIES = 200_000
const SMALL_SPACES = `
  INSERT INTO entities (space_no, id, name, name_folded, type, created_at)
    SELECT no, 'ent_1', 'Anna', 'anna', 'PERSON', 1 FROM generate_series(10, 40000) AS no;
  ANALYZE`

test.skipIf(server === undefined)(
  'relations beyond what one question may look at are told to be missing, and one fewer are not',
  async () => {
    const { ask, store, newSpace } = await ownedDatabase(server ?? '')
    const space = await newSpace()
    const { entities, relations, graph } = store.forSpace(space)
    const [a, b, near] = [entityOf(), entityOf(), entityOf()]
    const alone = entityOf({ type: 'EVENT' })
    for (const entity of [a, b, near, alone]) await entities.insert(entity, NO_RECEIPT)
    let made = 0
    const relateUpTo = async (count: number): Promise<void> => {
      await ask(
        `INSERT INTO relations (space_no, id, source_id, target_id, type, created_at)
         SELECT $1, 'rel_' || n, $2, $3, 'KNOWS', n FROM generate_series($4::int, $5::int) AS n`,
        [space, a.id, b.id, made + 1, count],
      )
      made = count
    }
    const newest = async (type?: 'EVENT') => (await graph.newest({ type, nodesMax: 5 })).isComplete
    // Each is looked at from both of its ends.
    const noPath = (isComplete: boolean) => ({ path: undefined, isComplete })
    await relateUpTo(EDGES_MAX - 1)
    expect(await newest()).toBe(true)
    await relateUpTo(EDGES_MAX + 1)
    expect(await newest()).toBe(false)
    expect((await graph.newest({ nodesMax: 5 })).edges).toHaveLength(EDGES_MAX)
    await relateUpTo(ROWS_MAX / 2 - 1)
    expect(await graph.path(a.id, alone.id)).toEqual(noPath(true))
    await relateUpTo(ROWS_MAX / 2)
    expect(await graph.path(a.id, alone.id)).toEqual(noPath(false))
    // Of its neighbour all relations are looked at, which lead further away than is asked for.
    const neighbourhood = () => graph.neighbourhood(near.id, { depth: 1, nodesMax: 5 })
    await relations.insert(relationOf({ sourceId: near.id, targetId: b.id }), NO_RECEIPT)
    expect(await neighbourhood()).toMatchObject({
      nodes: [{ degree: 1 }, { id: b.id, degree: DEGREE_MAX }],
      isComplete: true,
    })
    await relateUpTo(ROWS_MAX - 2)
    expect(await newest('EVENT')).toBe(true)
    await relateUpTo(ROWS_MAX - 1)
    expect(await newest('EVENT')).toBe(false)
    expect(await neighbourhood()).toMatchObject({ edges: [{}], isComplete: false })
  },
)

test.skipIf(server === undefined).each([
  { knows: 'does not know the tables', sql: 'SELECT 1' },
  { knows: 'takes every other space for a small one', sql: SMALL_SPACES },
])(
  'a graph of many nodes with many relations between them comes in the time of a statement, where the planner $knows',
  async ({ sql }) => {
    const { ask, store, newSpace } = await ownedDatabase(server ?? '')
    const space = await newSpace()
    await ask(
      `INSERT INTO entities (space_no, id, name, name_folded, type, created_at)
       SELECT $1, 'ent_' || n, 'Anna', 'anna', 'PERSON', n FROM generate_series(1, $2::int) AS n`,
      [space, OTHER_ENTITIES + NODES],
    )
    await ask(
      `INSERT INTO relations (space_no, id, source_id, target_id, type, created_at)
       SELECT $1, 'rel_' || n, 'ent_' || $2::int + n % $3::int + 1, 'ent_' || $2::int + n / 8 % $3::int + 1,
         'KNOWS', n
       FROM generate_series(1, $4::int) AS n`,
      [space, OTHER_ENTITIES, NODES, 8 * NODES],
    )
    await ask(sql)
    const { graph } = store.forSpace(space)
    const newest = await graph.newest({ nodesMax: NODES })
    expect([newest.nodes.length, newest.edges.length]).toEqual([NODES, EDGES_MAX])
    const near = await graph.neighbourhood(`ent_${OTHER_ENTITIES + NODES}`, {
      depth: 3,
      nodesMax: 1_000,
    })
    expect(near?.nodes.length).toBeGreaterThan(500)
  },
  20_000,
)

test.skipIf(server === undefined)(
  'a look for what all names have keeps and sorts no more of them than it shows',
  async () => {
    const { store, newSpace, ask } = await ownedDatabase(server ?? '')
    const space = await newSpace()
    // More than the server sorts in memory.
    await ask(
      `INSERT INTO entities (space_no, id, name, name_folded, type, created_at)
         SELECT ${space}, 'ent_' || no, name, name, 'OTHER', no
         FROM generate_series(1, 30000) AS no, rpad('name ' || no, 256, 'x') AS name`,
    )
    const written = () =>
      ask('SELECT temp_bytes::int FROM pg_stat_database WHERE datname = current_database()')
    await ask('SELECT pg_stat_force_next_flush()')
    const before = await written()
    const { items, total } = await store.forSpace(space).graph.named('name', 2)
    expect([items.map(({ id }) => id), total]).toEqual([['ent_30000', 'ent_29999'], 30_000])
    await store.close()
    // A session has told all that it did when it has ended.
    const others = `SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`
    await expect.poll(() => ask(others)).toEqual([])
    await ask('SELECT pg_stat_clear_snapshot()')
    expect(await written()).toEqual(before)
  },
)

test.skipIf(server === undefined)(
  'the records of a space are counted although all kinds together take longer than a statement may',
  async () => {
    const timeouts = { ...TIMEOUTS, statementMs: 2_000 }
    const { store, newSpace, ask } = await ownedDatabase(server ?? '', timeouts)
    const { graph } = store.forSpace(await newSpace())
    await ask(`BEGIN; LOCK relations; SAVEPOINT before_entities; LOCK entities;
      SAVEPOINT before_memories; LOCK memories`)
    const counts = graph.counts()
    for (const letGo of [
      'ROLLBACK TO before_memories',
      'ROLLBACK TO before_entities',
      'ROLLBACK',
    ]) {
      await sleep(900)
      await ask(letGo)
    }
    expect(await counts).toEqual({ memories: 0, entities: 0, relations: 0 })
  },
)
