// What earlier versions wrote is found after a start, and what a later one wrote is left as it is. Old files
// are made by the migrations of their time, and filled with rows as they were then.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { newFolder } from '../../../testing/new-folder.ts'
import { FIRST_PAGE, queryOf, unit } from '../../conformance/records.ts'
import type { SpaceId } from '../../records.ts'
import { type MemoryFilter, StoreRefusal } from '../../store.ts'
import { openSqliteArchiveSource } from '../archive/open-archive.ts'
import { openSqliteAdministration } from '../open-keys.ts'
import { databaseFile } from '../opening/data-folder.ts'
import { lockDirectory } from '../opening/directory-lock.ts'
import { openDatabase } from '../opening/open-database.ts'
import { openSqliteReembedding } from '../reembedding/open-reembedding.ts'
import { openEarlier } from '../testing/earlier-store.ts'
import { openIn } from '../testing/store-in-folder.ts'
import { migrate, SCHEMA_VERSION } from './migrate.ts'

const openAndMigrate = fileURLToPath(new URL('../testing/open-and-migrate.ts', import.meta.url))

test('a new file gets the whole schema, once', () => {
  const db = openDatabase(join(newFolder(), 'a.db'))
  migrate(db)
  migrate(db)
  expect(db.pragma('user_version', { simple: true })).toBe(SCHEMA_VERSION)
  expect(db.prepare('SELECT COUNT(*) FROM memories').pluck().get()).toBe(0)
  db.close()
})

test('a schema of a newer version is refused and left as it is', async () => {
  const directory = newFolder()
  const db = openDatabase(databaseFile(directory))
  migrate(db)
  db.pragma(`user_version = ${SCHEMA_VERSION + 1}`)
  db.close()
  const newer = /written by a newer version/
  await expect(openIn(directory)).rejects.toThrow(newer)
  await expect(openIn(directory)).rejects.toBeInstanceOf(StoreRefusal)
  expect(() => openSqliteAdministration(directory)).toThrow(newer)
  const untouched = openDatabase(databaseFile(directory))
  expect(untouched.pragma('user_version', { simple: true })).toBe(SCHEMA_VERSION + 1)
  untouched.close()
})

test.each([
  ['keys and accounts', openSqliteAdministration],
  ['export', openSqliteArchiveSource],
  ['reembed --status', (folder: string) => openSqliteReembedding(folder, { onlyLook: true })],
])(
  'beside a server of an earlier version, %s leaves the tables that it works with as they are',
  async (_, open) => {
    const directory = newFolder()
    const old = openEarlier(directory, 1)
    const stopServer = lockDirectory(directory)
    expect(() => open(directory)).toThrow(/Restart it with this version/)
    expect(old.pragma('user_version', { simple: true })).toBe(1)
    stopServer()
    await open(directory).close()
    expect(old.pragma('user_version', { simple: true })).toBe(SCHEMA_VERSION)
    old.close()
    // A server may start.
    lockDirectory(directory)()
  },
)

test('processes that open a new folder at the same moment all find one whole schema', async () => {
  const directory = newFolder()
  const children = Array.from({ length: 4 }, () => fork(openAndMigrate, [directory]))
  await Promise.all(children.map((child) => once(child, 'message')))
  const exits = children.map((child) => once(child, 'exit'))
  for (const child of children) child.send('go')
  expect((await Promise.all(exits)).map(([status]) => status)).toEqual([0, 0, 0, 0])
  const db = openDatabase(databaseFile(directory))
  expect(db.pragma('user_version', { simple: true })).toBe(SCHEMA_VERSION)
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
  db.close()
})

test('a store from before the generations keeps its model and its vectors', async () => {
  const directory = newFolder()
  const old = openEarlier(directory, 1)
  old.exec(`INSERT INTO embedding_model VALUES (1, 'test', 5);
    INSERT INTO spaces VALUES (1, 0);
    INSERT INTO memories VALUES (1, 1, 'mem_1', 'text', 'u', NULL, '[]', NULL, 'text', 1)`)
  old
    .prepare('INSERT INTO pieces VALUES (1, 0, 0, 4, ?)')
    .run(Buffer.from(unit([1, 0, 0, 0, 0]).buffer))
  old.close()
  const store = await openIn(directory)
  const model = { id: 'test', dimension: 5, piecesVersion: 1, source: undefined }
  expect(await store.generations.current()).toEqual({ ...model, number: 1 })
  // The only space of that store.
  const { memories } = store.forSpace(1 as SpaceId)
  const query = queryOf([1, 0, 0, 0, 0])
  const found = await memories.search(query, {}, { limit: 1, threshold: 0 }, 1)
  expect(found).toMatchObject([{ id: 'mem_1', score: 1 }])
})

test('entities from before ẞ, strokes, þ and typeset signs were folded are found by any spelling of them, and those of marks too', async () => {
  const directory = newFolder()
  const old = openEarlier(directory, 7)
  old.exec(`INSERT INTO spaces VALUES (1, 0);
    INSERT INTO entities VALUES
      (1, 1, 'ent_1', 'GROẞE STRAẞE', 'große straße', 'LOCATION', NULL, NULL, 1),
      (2, 1, 'ent_2', 'Łódź, Æbelø', 'łodz, æbelø', 'LOCATION', NULL, NULL, 1),
      (3, 1, 'ent_3', 'Þórður', 'þorður', 'PERSON', NULL, NULL, 1),
      (4, 1, 'ent_4', 'Jean‑Luc O’Brien', 'jean‐luc o’brien', 'PERSON', NULL, NULL, 1),
      (5, 1, 'ent_5', '\u1a58', '', 'OTHER', NULL, NULL, 1);
    INSERT INTO counts VALUES (1, 'entities', '', 5)`)
  old.close()
  const { entities } = (await openIn(directory)).forSpace(1 as SpaceId)
  for (const search of ['STRAẞE', 'große', 'GROSSE STRASSE', 'straße']) {
    const { items } = await entities.page({ search }, FIRST_PAGE)
    expect(items, search).toMatchObject([{ id: 'ent_1', name: 'GROẞE STRAẞE' }])
  }
  for (const search of ['Łódź', 'lodz', 'aebelo', 'ÆBELØ']) {
    const { items } = await entities.page({ search }, FIRST_PAGE)
    expect(items, search).toMatchObject([{ id: 'ent_2', name: 'Łódź, Æbelø' }])
  }
  for (const search of ['Þórður', 'thordur']) {
    const { items } = await entities.page({ search }, FIRST_PAGE)
    expect(items, search).toMatchObject([{ id: 'ent_3' }])
  }
  for (const search of ["O'Brien", 'O’Brien', 'jean-luc', 'Jean‑Luc']) {
    const { items } = await entities.page({ search }, FIRST_PAGE)
    expect(items, search).toMatchObject([{ id: 'ent_4' }])
  }
  const { items } = await entities.page({ search: '\u1a58' }, FIRST_PAGE)
  expect(items).toMatchObject([{ id: 'ent_5' }])
})

test('memories from before lists took them in later are in the lists of their user, agent and tags', async () => {
  const directory = newFolder()
  const old = openEarlier(directory, 11)
  old.exec(`INSERT INTO spaces VALUES (1, 0);
    INSERT INTO memories VALUES
      (1, 1, 'mem_1', 'text', 'u', 'a', '["t"]', NULL, 1),
      (2, 1, 'mem_2', 'text', 'u', NULL, '[]', NULL, 2);
    INSERT INTO memory_tags VALUES (1, 't', 1, 'mem_1', 1);
    INSERT INTO counts VALUES (1, 'memories', '', 2), (1, 'memories of user', 'u', 2),
      (1, 'memories of agent', 'a', 1), (1, 'memories with tag', 't', 1)`)
  old.close()
  const { memories } = (await openIn(directory)).forSpace(1 as SpaceId)
  const idsOf = async (filter: MemoryFilter) =>
    (await memories.page(filter, FIRST_PAGE)).items.map(({ id }) => id)
  expect(await idsOf({ userId: 'u' })).toEqual(['mem_2', 'mem_1'])
  expect(await idsOf({ agentId: 'a' })).toEqual(['mem_1'])
  expect(await idsOf({ tags: ['t'] })).toEqual(['mem_1'])
})
