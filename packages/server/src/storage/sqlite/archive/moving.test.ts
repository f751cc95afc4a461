// Archives move from one embedded store to another, and a folder that is no source or no target is refused,
// with nothing of the store before left beside an import.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { newFolder } from '../../../testing/new-folder.ts'
import type { ArchiveRecord } from '../../archive.ts'
import { describeExporting } from '../../conformance/exporting.suite.ts'
import { describeMoving } from '../../conformance/moving.suite.ts'
import { insertedKey, newKey } from '../../conformance/subject.ts'
import { StoreRefusal } from '../../store.ts'
import { isMarkedClean, markClosed } from '../log/clean-mark.ts'
import { SCHEMA_VERSION } from '../migrations/migrate.ts'
import { openSqliteAdministration } from '../open-keys.ts'
import { databaseFile } from '../opening/data-folder.ts'
import { openDatabase } from '../opening/open-database.ts'
import { countsAreRight } from '../testing/counts-are-right.ts'
import { newSqlitePlace } from '../testing/moving-place.ts'
import { openIn } from '../testing/store-in-folder.ts'
import { openSqliteArchiveSource, openSqliteArchiveTarget } from './open-archive.ts'

describeMoving('from an embedded store to another one', newSqlitePlace, newSqlitePlace)
describeExporting('an embedded store that is exported beside callers', newSqlitePlace)

test('a folder without a store is no source, and is left as it is', () => {
  const directory = newFolder()
  for (const folder of [directory, join(directory, 'missing')]) {
    const open = () => openSqliteArchiveSource(folder)
    expect(open).toThrow(StoreRefusal)
    expect(open).toThrow('There is no store in')
  }
  expect(readdirSync(directory)).toEqual([])
})

test('a folder in which nothing can be removed is no target', () => {
  const directory = newFolder()
  mkdirSync(join(directory, 'mnemograph.db-clean'), { recursive: true })
  const open = () => openSqliteArchiveTarget(directory)
  expect(open).toThrow(StoreRefusal)
  expect(open).toThrow('See who owns it and its folder')
})

test('a folder that a server uses is no target, and a server does not start on one', async () => {
  const directory = newFolder()
  const store = await openIn(directory)
  expect(() => openSqliteArchiveTarget(directory)).toThrow(
    'A server or an import of Mnemograph is using',
  )
  await store.close()
  const target = openSqliteArchiveTarget(directory)
  await expect(openIn(directory)).rejects.toThrow('A server or an import of Mnemograph is using')
  await target.begin('archive', undefined)
  expect(() => openSqliteAdministration(directory)).toThrow(
    'An import into this store is unfinished',
  )
  await target.close()
})

test('totals of what was imported are right before a server looks at them, also behind a batch that failed', async () => {
  const directory = newFolder()
  const target = openSqliteArchiveTarget(directory)
  const entity = (id: string): ArchiveRecord => ({
    kind: 'entity',
    space: 1,
    id,
    name: 'Anna',
    type: 'PERSON',
    description: null,
    metadata: null,
    createdAt: 0,
  })
  const relation: ArchiveRecord = {
    kind: 'relation',
    space: 1,
    id: 'rel_1',
    sourceId: 'ent_1',
    targetId: 'ent_missing',
    type: 'KNOWS',
    metadata: null,
    createdAt: 0,
  }
  await target.begin('archive', undefined)
  const progress = { blocks: 1, checksum: 'sum' }
  await target.add([{ kind: 'space', space: 1, createdAt: 0 }, entity('ent_1')], progress)
  await expect(target.add([entity('ent_2'), relation], progress)).rejects.toThrow()
  await target.add([entity('ent_3')], progress)
  await target.close()
  const db = openDatabase(databaseFile(directory))
  onTestFinished(() => void db.close())
  expect(countsAreRight(db)).toBe(true)
})

test('copies of the indexes of other memories do not stay beside those that are imported', async () => {
  const directory = newFolder()
  const file = databaseFile(directory)
  const copies = [`${file}-index-1`, `${file}-index-1.draft`]
  for (const copy of copies) writeFileSync(copy, 'of the store that was here')
  await openSqliteArchiveTarget(directory).close()
  expect(copies.filter(existsSync)).toEqual([])
})

test.each([
  ['holds data', SCHEMA_VERSION],
  ['is of a newer version', SCHEMA_VERSION + 1],
])('a store that %s starts as quickly after an import that was refused', async (_, version) => {
  const directory = newFolder()
  const file = databaseFile(directory)
  const store = await openIn(directory)
  await insertedKey(store, newKey())
  await store.close()
  const db = openDatabase(file)
  db.pragma(`user_version = ${version}`)
  db.close()
  markClosed(file)
  const copy = `${file}-index-1`
  writeFileSync(copy, 'of this store')
  const refused = async (): Promise<void> => {
    const target = openSqliteArchiveTarget(directory)
    await target.begin('archive', undefined).finally(target.close)
  }
  await expect(refused()).rejects.toThrow(StoreRefusal)
  expect(isMarkedClean(file)).toBe(true)
  expect(existsSync(copy)).toBe(true)
})
