// A deletion finds the pieces of its memory by an index, which a database that was filled before has got
// beside the service.

import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { memoryOf, NO_RECEIPT, pieceOf } from '../../conformance/records.ts'
import { caseSpace, insertedKey, MODEL, newKey } from '../../conformance/subject.ts'
import type { Store } from '../../store.ts'
import { Database } from '../connection/database.ts'
import { prepareDatabase } from '../open-store.ts'
import { openPostgresReembedding } from '../reembedding/open-reembedding.ts'
import { earlierDatabase } from '../testing/earlier-database.ts'
import { openStoreAt } from '../testing/open-store-at.ts'
import { ownedDatabase } from '../testing/owned-database.ts'
import { pagesRead, stopVacuum } from '../testing/pages-read.ts'
import { indexPiecesByMemory } from './pieces-by-memory.ts'

const server = inject('postgresUrl')
const PARTITIONS = 16
const MEMORIES = 30_000
/** To make a plan, some pages of each index of each partition are read. All keys would be some hundreds more. */
const PAGES_MAX = 200
/** The last schema without the index. */
const BEFORE = 7
const TABLES = ['pieces']

/** Filled by the version before. */
async function filledBefore() {
  const database = await earlierDatabase(server ?? '', BEFORE)
  const ask = await database.connected()
  await ask(
    `INSERT INTO generations (state, model_id, dimension, pieces_version)
     VALUES ('current', '${MODEL.id}', ${MODEL.dimension}, ${MODEL.piecesVersion});
     INSERT INTO memories (space_no, no, id, content, user_id, tags, created_at)
     SELECT no, -no, 'mem_' || no, 'memory', 'anna', '{}', 1 FROM generate_series(1, 100) AS no;
     INSERT INTO pieces (space_no, generation, memory_no, part, start_offset, end_offset, vector)
     SELECT no, 1, -no, 0, 0, 1, '[1,0,0,0,0]' FROM generate_series(1, 100) AS no`,
  )
  const valid = () =>
    ask(
      `SELECT 1 FROM pg_index JOIN pg_class ON oid = indexrelid
       WHERE relname LIKE 'pieces_%_by_memory' AND indisvalid`,
    )
  /** How many connections make an index. */
  const indexing = async (): Promise<number> => {
    await ask('SELECT pg_stat_clear_snapshot()')
    const sql = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
      AND query LIKE 'CREATE INDEX CONCURRENTLY%'`
    return (await ask(sql)).length
  }
  return { ...database, ask, valid, indexing }
}

describe.skipIf(server === undefined)('the pieces of a memory', () => {
  test('are deleted without a look at those of others, whether or not the planner knows the table', async () => {
    const { options, ask, store, generation, newSpace } = await ownedDatabase(server ?? '')
    const space = await newSpace()
    await stopVacuum(ask, TABLES)
    await ask(
      `INSERT INTO memories (space_no, no, id, content, user_id, tags, created_at)
       SELECT $1, no, 'mem_' || no, 'memory', 'anna', '{}', no FROM generate_series(1, $2::int) AS no`,
      [space, MEMORIES],
    )
    await ask(
      `INSERT INTO pieces (space_no, generation, memory_no, part, start_offset, end_offset, vector)
       SELECT $1, $2, no, 0, 0, 1, '[1,0,0,0,0]' FROM generate_series(1, $3::int) AS no`,
      [space, generation, MEMORIES],
    )
    const remove = async (by: Store, id: string): Promise<void> => {
      await ask('SELECT pg_stat_force_next_flush()')
      const before = await pagesRead(ask, TABLES)
      expect(await by.forSpace(space).memories.remove(id, NO_RECEIPT)).toBe(true)
      // What a connection has read is known when it ends.
      await by.close()
      await expect.poll(() => pagesRead(ask, TABLES)).toBeGreaterThan(before)
      expect((await pagesRead(ask, TABLES)) - before).toBeLessThan(PAGES_MAX)
    }
    await remove(store, 'mem_9')
    await ask('ANALYZE')
    const next = await openStoreAt(options.url, 2)
    onTestFinished(() => next.close())
    await remove(next, 'mem_8')
    expect(await ask('SELECT count(*)::int AS left FROM pieces')).toEqual([{ left: MEMORIES - 2 }])
  })

  test('of a database that was filled before get their index beside instances that start at once, also where one was not completed', async () => {
    const { ask, open, valid, failures } = await filledBefore()
    await ask('CREATE INDEX pieces_03_by_memory ON pieces_03 (space_no, memory_no)')
    await ask(
      `UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'pieces_03_by_memory'::regclass`,
    )
    await Promise.all([open(), open()])
    await expect.poll(async () => (await valid()).length).toBe(PARTITIONS)
    expect(failures).toEqual([])
  })

  test('can be written while the index waits for others, and the service need not wait for it to stop', async () => {
    const { ask, open, valid, indexing, failures } = await filledBefore()
    await ask('BEGIN; UPDATE pieces SET commonness = 0')
    const store = await open()
    await expect.poll(indexing).toBe(1)
    const { spaceId } = await insertedKey(store, newKey())
    const { number } = await store.generations.adopt(MODEL)
    const memory = memoryOf()
    const { memories } = caseSpace(store, spaceId, number)
    await memories.insert(memory, [pieceOf(memory.content)], NO_RECEIPT)
    expect(await memories.remove(memory.id, NO_RECEIPT)).toBe(true)
    await store.close()
    expect([(await valid()).length, failures]).toEqual([0, []])
    await ask('ROLLBACK')
    await expect.poll(indexing).toBe(0)
    await open()
    await expect.poll(async () => (await valid()).length).toBe(PARTITIONS)
    expect(failures).toEqual([])
  })

  test('get their index after a failure, too, without another start', async () => {
    const { url, ask, valid } = await filledBefore()
    await ask(
      `CREATE FUNCTION refuse() RETURNS event_trigger LANGUAGE plpgsql
       AS $$ BEGIN IF current_query() LIKE '%_by_memory%' THEN RAISE EXCEPTION 'not now'; END IF; END $$;
       CREATE EVENT TRIGGER refuse ON ddl_command_start WHEN TAG IN ('CREATE INDEX')
       EXECUTE FUNCTION refuse()`,
    )
    await prepareDatabase({ url, durability: 'required' })
    const database = new Database({ url, role: 'mnemograph_service', connectionsMax: 1 })
    onTestFinished(() => database.close())
    const failures: unknown[] = []
    const stopping = new AbortController()
    onTestFinished(() => stopping.abort())
    const indexing = indexPiecesByMemory(database, url, {
      signal: stopping.signal,
      onError: (error) => failures.push(error),
      againMs: 20,
    })
    await expect.poll(() => failures.length).toBeGreaterThan(1)
    expect(String(failures[0])).toContain('not now')
    await ask('DROP EVENT TRIGGER refuse')
    await indexing
    expect(await valid()).toHaveLength(PARTITIONS)
  })

  test('hold up nobody when a re-embedding begins while their index waits for an export', async () => {
    const { url, ask, open, valid, indexing } = await filledBefore()
    await ask('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    await ask('SELECT count(*) FROM memories')
    await open()
    await expect.poll(indexing).toBe(1)
    const mover = await openPostgresReembedding({ url, durability: 'required' })
    onTestFinished(() => mover.close())
    const begun = mover.begin({ ...MODEL, id: 'other' })
    // Whoever waited for a table would hold up all who ask for it later.
    const end = performance.now() + 2_500
    while (performance.now() < end) {
      expect(
        await ask(
          `SELECT mode FROM pg_locks WHERE NOT granted
           AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
           AND relation IN (SELECT relid FROM pg_partition_tree('pieces'))`,
        ),
      ).toEqual([])
      await sleep(20)
    }
    await ask('ROLLBACK')
    expect(await begun).toMatchObject({ id: 'other' })
    await expect.poll(async () => (await valid()).length).toBe(PARTITIONS)
  })
})
