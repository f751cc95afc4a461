// What migrations make of rows that an earlier version has written.
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { administer, newEmptyDatabase, type TestDatabase } from '../../../testing/postgres.ts'
import { migrateUpTo, prepareWhole, rowsOf } from '../testing/schema.ts'

const server = inject('postgresUrl')

describe.skipIf(server === undefined)('rows from before a migration', () => {
  let database: TestDatabase

  beforeEach(async () => {
    database = await newEmptyDatabase(server ?? '')
  })
  afterEach(() => database.drop())

  test('entities from before ẞ was folded are found by any spelling of it, in every space', async () => {
    await migrateUpTo(database.url, 2)
    const names = ['GROẞE STRAẞE', 'Große Straße']
    const found = () =>
      rowsOf(
        database.url,
        `SELECT name FROM mnemograph.entities
         WHERE name_folded = 'grosse strasse' ORDER BY space_no`,
      )
    await administer(
      database.administratorUrl,
      `INSERT INTO mnemograph.entities (space_no, id, name, name_folded, type, created_at) VALUES
       (1, 'ent_1', '${names[0]}', 'große straße', 'LOCATION', 1),
       (2, 'ent_2', '${names[1]}', 'grosse strasse', 'LOCATION', 1)`,
    )
    expect(await found()).toEqual([{ name: names[1] }])
    await prepareWhole(database.url)
    expect(await found()).toEqual(names.map((name) => ({ name })))
  })

  test('entities from before strokes, þ and typeset signs were folded are found without them, in every space, and those of marks too', async () => {
    await migrateUpTo(database.url, 3)
    await administer(
      database.administratorUrl,
      `INSERT INTO mnemograph.entities (space_no, id, name, name_folded, type, created_at) VALUES
       (1, 'ent_1', 'Łódź, Æbelø', 'łodz, æbelø', 'LOCATION', 1),
       (2, 'ent_2', 'Œuvre', 'œuvre', 'LOCATION', 1),
       (2, 'ent_3', 'Þórður', 'þorður', 'PERSON', 1),
       (2, 'ent_4', 'Jean‑Luc O’Brien', 'jean‐luc o’brien', 'PERSON', 1),
       (2, 'ent_5', ' \u0301', ' ', 'OTHER', 1)`,
    )
    await prepareWhole(database.url)
    const sql = 'SELECT name_folded FROM mnemograph.entities ORDER BY space_no, id'
    expect(await rowsOf(database.administratorUrl, sql)).toEqual([
      { name_folded: 'lodz, aebelo' },
      { name_folded: 'oeuvre' },
      { name_folded: 'thordur' },
      { name_folded: "jean-luc o'brien" },
      { name_folded: ' \u0301' },
    ])
  })

  test('words that no memory has any more are not left over from before, in any space', async () => {
    await migrateUpTo(database.url, 4)
    await administer(
      database.administratorUrl,
      `INSERT INTO mnemograph.term_counts (space_no, generation, term, memories) VALUES
       (1, 1, 'kept', 2), (1, 1, 'left', 0), (2, 1, 'left', 0), (2, 1, 'kept', 1)`,
    )
    await prepareWhole(database.url)
    const left = await rowsOf(
      database.url,
      'SELECT term, memories FROM mnemograph.term_counts ORDER BY space_no',
    )
    expect(left).toEqual([
      { term: 'kept', memories: 2 },
      { term: 'kept', memories: 1 },
    ])
  })

  test('that spaces may be large is told of those that are there at once', async () => {
    await migrateUpTo(database.url, 10)
    await administer(
      database.administratorUrl,
      `INSERT INTO mnemograph.entities (space_no, id, name, name_folded, type, created_at)
         VALUES (1, 'ent_1', 'Anna', 'anna', 'PERSON', 1);
       INSERT INTO mnemograph.relations (space_no, id, source_id, target_id, type, created_at)
         VALUES (1, 'rel_1', 'ent_1', 'ent_1', 'KNOWS', 1)`,
    )
    await prepareWhole(database.url)
    const told = await rowsOf(
      database.administratorUrl,
      `SELECT tablename, n_distinct FROM pg_stats
       WHERE schemaname = 'mnemograph' AND attname = 'space_no' ORDER BY tablename`,
    )
    expect(told).toEqual([
      { tablename: 'entities', n_distinct: 100 },
      { tablename: 'relations', n_distinct: 100 },
    ])
  })
})
