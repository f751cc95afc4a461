// The total of a list is read, and not counted: it is right at every moment, whoever writes and adds up beside it,
// and costs the same however many rows there are.
import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { entityOf, memoryOf, NO_RECEIPT, pieceOf, relationOf } from '../../conformance/records.ts'
import { caseSpace } from '../../conformance/subject.ts'
import type { SpaceId } from '../../records.ts'
import { Database } from '../connection/database.ts'
import { openStoreAt } from '../testing/open-store-at.ts'
import { type OwnedDatabase, ownedDatabase } from '../testing/owned-database.ts'
import { addUp, COUNTED_TABLES, RowCounts } from './row-counts.ts'

const server = inject('postgresUrl')
const ROWS = 30_000
/** A page of each list, and the names of what its relations join. */
const READ_MAX = 200
const FIRST_PAGE = { page: 1, limit: 10 }
const WRITES_UNTIL_ADDED_UP = 64

async function filledAtOnce({ ask }: OwnedDatabase, space: SpaceId): Promise<void> {
  await ask(
    `INSERT INTO memories (space_no, id, content, user_id, tags, created_at)
     SELECT $1, 'mem_' || no, 'memory', 'anna', '{}', no FROM generate_series(1, $2::int) AS no`,
    [space, ROWS],
  )
  await ask(
    `INSERT INTO entities (space_no, id, name, name_folded, type, created_at)
     SELECT $1, 'ent_' || 100000 + no, 'Anna', 'anna', 'PERSON', no FROM generate_series(1, $2::int) AS no`,
    [space, ROWS],
  )
  await ask(
    `INSERT INTO relations (space_no, id, source_id, target_id, type, created_at)
     SELECT $1, 'rel_' || no, 'ent_' || 100000 + no, 'ent_' || 100001 + no % 100, 'KNOWS', no FROM generate_series(1, $2::int) AS no`,
    [space, ROWS],
  )
}

/** What the lists and the console say of a space. */
async function totalsOf({ store }: OwnedDatabase, space: SpaceId) {
  const { memories, entities, relations, graph } = store.forSpace(space)
  const [memory, entity, relation, counts] = await Promise.all([
    memories.page({}, FIRST_PAGE),
    entities.page({}, FIRST_PAGE),
    relations.page({}, FIRST_PAGE),
    graph.counts(),
  ])
  const lists = { memories: memory.total, entities: entity.total, relations: relation.total }
  expect(counts).toEqual(lists)
  return lists
}

const notesOf = ({ ask }: OwnedDatabase, space: SpaceId) =>
  ask('SELECT * FROM row_changes WHERE space_no = $1', [space])

/** Rows of whole tables, and entries of their indexes. */
async function rowsRead({ ask }: OwnedDatabase): Promise<number> {
  const [row] = await ask(
    `SELECT (SELECT sum(seq_tup_read) FROM pg_stat_user_tables WHERE relname ~ $1)
       + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname ~ $1) AS read`,
    ['^(memories|entities|relations)'],
  )
  return Number(row?.['read'])
}

test('the notes of a space are added up once for so many writes', async () => {
  let times = 0
  const transaction = { all: async () => [], one: async () => undefined, run: async () => 0 }
  const database: Pick<Database, 'inSpace'> = {
    inSpace(_space, work) {
      times += 1
      return work(transaction)
    },
  }
  const counts = new RowCounts(database, () => expect.unreachable())
  for (let writes = 0; writes < 2 * WRITES_UNTIL_ADDED_UP; writes += 1) {
    counts.noteWritten(1 as SpaceId, 'memories')
    await nextTurn()
  }
  await counts.close()
  expect(times).toBe(2)
})

describe.skipIf(server === undefined)('totals', () => {
  test('and pages are read without a look at all rows, whatever their number', async () => {
    const database = await ownedDatabase(server ?? '')
    const { ask, options, newSpace } = database
    const space = await newSpace()
    await filledAtOnce(database, space)
    await ask('ANALYZE memories, entities, relations')
    // Behind all that the planner knows as the end of a relation.
    await ask(
      `INSERT INTO relations (space_no, id, source_id, target_id, type, created_at)
       VALUES ($1, 'rel_new', 'ent_100200', 'ent_129999', 'KNOWS', 0)`,
      [space],
    )
    const reader = await openStoreAt(options.url, 2)
    await ask('SELECT pg_stat_force_next_flush()')
    const before = await rowsRead(database)
    expect(await totalsOf({ ...database, store: reader }, space)).toEqual({
      memories: ROWS,
      entities: ROWS,
      relations: ROWS + 1,
    })
    const { relations } = reader.forSpace(space)
    expect((await relations.page({ sourceId: 'ent_100200' }, FIRST_PAGE)).total).toBe(2)
    // What a connection has read is known when it ends.
    await reader.close()
    await expect.poll(() => rowsRead(database)).toBeGreaterThan(before)
    expect((await rowsRead(database)) - before).toBeLessThan(READ_MAX)
  })

  test('are those of the rows after any writes, by hand too, and whoever adds up', async () => {
    const database = await ownedDatabase(server ?? '')
    const { ask, newSpace, options } = database
    const maintenance = new Database({
      url: options.url,
      role: 'mnemograph_maintenance',
      connectionsMax: 1,
    })
    onTestFinished(() => maintenance.close())
    const spaces = [await newSpace(), await newSpace()] as const
    let made = 0
    const id = fc.integer({ min: 1, max: 12 })
    const write = fc.oneof(
      fc.record({ kind: fc.constant('add entities' as const), rows: id }),
      fc.record({ kind: fc.constant('relate' as const), from: id, to: id }),
      fc.record({ kind: fc.constant('remove entity' as const), no: id }),
      fc.record({ kind: fc.constant('remove nothing' as const) }),
      fc.record({ kind: fc.constant('add up' as const) }),
      fc.record({ kind: fc.constant('undone' as const) }),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom(...spaces), write), { minLength: 5, maxLength: 25 }),
        async (writes) => {
          for (const [space, each] of writes) {
            made += 1
            if (each.kind === 'add entities') {
              await ask(
                `INSERT INTO entities (space_no, id, name, name_folded, type, created_at)
                 SELECT $1, 'ent_' || no, 'Anna', 'anna', 'PERSON', $2 FROM generate_series(1, $3::int) AS no
                 ON CONFLICT DO NOTHING`,
                [space, made, each.rows],
              )
            } else if (each.kind === 'relate') {
              await ask(
                `INSERT INTO relations (space_no, id, source_id, target_id, type, created_at)
                 SELECT $1, 'rel_' || $2::int, source.id, target.id, 'KNOWS', $2 FROM entities AS source, entities AS target
                 WHERE source.space_no = $1 AND target.space_no = $1 AND source.id = $3 AND target.id = $4`,
                [space, made, `ent_${each.from}`, `ent_${each.to}`],
              )
            } else if (each.kind === 'remove entity') {
              // The foreign keys take its relations along, as the owner of the tables.
              await maintenance.transaction((transaction) =>
                transaction.run(
                  {
                    name: 'remove',
                    text: 'DELETE FROM entities WHERE space_no = $1 AND id = $2',
                  },
                  [space, `ent_${each.no}`],
                ),
              )
            } else if (each.kind === 'remove nothing') {
              await ask('DELETE FROM relations WHERE false')
            } else if (each.kind === 'undone') {
              await ask('BEGIN; DELETE FROM entities; ROLLBACK')
            } else {
              await maintenance.transaction((transaction) => addUp(transaction, space, 'relations'))
            }
          }
          for (const space of spaces) {
            const [rows] = await ask(
              `SELECT (SELECT count(*) FROM entities WHERE space_no = $1)::int AS entities,
                 (SELECT count(*) FROM relations WHERE space_no = $1)::int AS relations`,
              [space],
            )
            expect(await totalsOf(database, space)).toEqual({ memories: 0, ...rows })
          }
        },
      ),
      { numRuns: 15 },
    )
  })

  test('are right while two instances write, delete and add up at once, and few notes are left', async () => {
    const database = await ownedDatabase(server ?? '')
    const { ask, options, store, generation, newSpace } = database
    const other = await openStoreAt(options.url, 6)
    const space = await newSpace()
    const rounds = 2 * WRITES_UNTIL_ADDED_UP
    let kept = 0
    const writeBy = async (own: typeof store): Promise<void> => {
      const { memories, entities, relations } = caseSpace(own, space, generation)
      for (let round = 0; round < rounds / 4; round += 1) {
        const memory = memoryOf()
        const [anna, ben] = [entityOf(), entityOf()]
        await Promise.all([
          memories.insert(memory, [pieceOf(memory.content)], NO_RECEIPT),
          entities.insert(anna, NO_RECEIPT),
          entities.insert(ben, NO_RECEIPT),
        ])
        await relations.insert(relationOf({ sourceId: anna.id, targetId: ben.id }), NO_RECEIPT)
        if (round % 2 === 0) {
          await Promise.all([
            memories.remove(memory.id, NO_RECEIPT),
            entities.remove(anna.id, NO_RECEIPT),
            entities.remove(ben.id, NO_RECEIPT),
          ])
        } else {
          kept += 1
        }
        const { total, items } = await entities.page({}, { page: 1, limit: 100 })
        expect(Math.min(total, 100)).toBe(items.length)
      }
    }
    await Promise.all([store, store, other, other].map(writeBy))
    const counts = { memories: kept, entities: 2 * kept, relations: kept }
    expect(await totalsOf(database, space)).toEqual(counts)
    await other.close()
    await store.close()
    expect((await notesOf(database, space)).length).toBeLessThan(6 * WRITES_UNTIL_ADDED_UP)
    const again = await openStoreAt(options.url, 2)
    onTestFinished(() => again.close())
    expect(await totalsOf({ ...database, store: again }, space)).toEqual(counts)
    expect(await ask('SELECT counted, total > 0 AS some FROM row_counts ORDER BY counted')).toEqual(
      COUNTED_TABLES.toSorted().map((counted) => ({ counted, some: true })),
    )
  })

  test('that an instance has left behind in notes are added up by whoever reads them', async () => {
    const database = await ownedDatabase(server ?? '')
    const { ask, newSpace } = database
    const space = await newSpace()
    await ask(
      `INSERT INTO row_changes (space_no, counted, change)
       SELECT $1, 'entities', 1 FROM generate_series(1, 1000)`,
      [space],
    )
    expect(await totalsOf(database, space)).toEqual({ memories: 0, entities: 1000, relations: 0 })
    await expect.poll(async () => (await notesOf(database, space)).length).toBe(0)
    expect(await totalsOf(database, space)).toEqual({ memories: 0, entities: 1000, relations: 0 })
  })
})
