// Nothing that may be stored counts as damage, since the first finding of the look at a large store's rows
// ends the process, at every start.
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newFolder } from '../../../testing/new-folder.ts'
import { fillStore } from '../../conformance/filled-store.ts'
import { memoryOf, NO_RECEIPT, pieceOf } from '../../conformance/records.ts'
import { openSqliteStore } from '../open-store.ts'
import { changeBehindIndex } from '../testing/change-behind-index.ts'
import { openIn, takeAllIn } from '../testing/store-in-folder.ts'
import { findDamage } from './check-rows.ts'
import { databaseFile } from './data-folder.ts'
import { openDatabase } from './open-database.ts'

let filled: string
beforeAll(async () => {
  filled = mkdtempSync(join(tmpdir(), 'mnemograph-sqlite-'))
  const store = await openSqliteStore({
    directory: filled,
    onDeath: (error) => expect.fail(String(error)),
  })
  await fillStore(store)
  await store.close()
})
afterAll(() => rmSync(filled, { recursive: true, force: true }))

/** With a store that has one of everything. */
function filledFolder(): string {
  const directory = newFolder()
  cpSync(filled, directory, { recursive: true })
  return directory
}

function findings(directory: string): string[] {
  const db = openDatabase(databaseFile(directory))
  const found = [...findDamage(db)].filter((finding) => finding !== undefined)
  db.close()
  return found
}

test('a store with one of everything shows no damage, whether or not lists have taken it in', async () => {
  const directory = newFolder()
  await fillStore(await openIn(directory))
  expect(findings(directory)).toEqual([])
  takeAllIn(directory)
  expect(findings(directory)).toEqual([])
})

test('pieces in which there is no word are no damage', async () => {
  const directory = newFolder()
  const store = await openIn(directory)
  const {
    spaces: [space],
  } = await fillStore(store)
  const content = '— '.repeat(200)
  const piece = pieceOf(content)
  const pieces = [piece, { ...piece, start: 200 }]
  await store.forSpace(space).memories.insert(memoryOf({ content }), pieces, NO_RECEIPT, 1)
  expect(findings(directory)).toEqual([])
})

test.each([
  ['entities_by_time', 'UPDATE entities SET created_at = 7'],
  ['entities_by_type', "UPDATE entities SET type = 'OTHER'"],
  ['relations_by_time', 'UPDATE relations SET created_at = 7'],
  ['relations_by_source', 'UPDATE relations SET source_id = target_id'],
  ['relations_by_target', 'UPDATE relations SET target_id = source_id'],
  ['relations_by_type', "UPDATE relations SET type = 'OTHER'"],
  ['idempotency_by_time', 'UPDATE idempotency SET created_at = 7'],
  ['statistics_by_day', "UPDATE statistics SET day = '2027-01-03'"],
])('a row that the index %s has lost is damage', (index, change) => {
  const directory = filledFolder()
  changeBehindIndex(databaseFile(directory), index, change)
  expect(findings(directory)).toEqual([expect.stringContaining(index.split('_')[0] ?? '')])
})

test.each([
  ['pieces', 'UPDATE pieces SET no = no + (1000 << 16)'],
  ['pieces_beside', 'UPDATE pieces_beside SET no = no + (1000 << 16)'],
  ['relations', "UPDATE relations SET source_id = 'ent_gone'"],
  ['relations', "UPDATE relations SET target_id = 'ent_gone'"],
])('a row of %s without what it belongs to is damage', (table, change) => {
  const directory = filledFolder()
  const db = openDatabase(databaseFile(directory))
  db.pragma('foreign_keys = OFF')
  const columns = 'no, start_offset, end_offset, terms, vector'
  db.exec(`INSERT INTO pieces_beside (${columns}) SELECT ${columns} FROM pieces`)
  db.exec(change)
  db.close()
  expect(findings(directory)).toContainEqual(expect.stringContaining(`Rows of ${table} `))
})

/** So many rows more, of texts that do not come in the order of their keys. */
const MORE = 3_000
const numbers = `WITH RECURSIVE numbers (no) AS
  (SELECT 1 UNION ALL SELECT no + 1 FROM numbers LIMIT ${MORE})`

test.each([
  ['idempotency', "(SELECT MIN(id) FROM keys), 'text ' || (no * 7919 % 10007), '', '', 1"],
  ['statistics', "(SELECT MIN(id) FROM keys), '2027-01-01', 'kind ' || (no * 7919 % 10007), 1"],
  ['counts', "1, 'entities of type', 'text ' || (no * 7919 % 10007), 1"],
  ['memory_tags', "1, 'text', no * 7919 % 10007, 'mem_' || no, 1"],
])('a thousand rows of %s are a step, since there may be very many', (table, row) => {
  const directory = filledFolder()
  const db = openDatabase(databaseFile(directory))
  const before = [...findDamage(db)].length
  db.exec(`${numbers} INSERT INTO ${table} SELECT ${row} FROM numbers`)
  expect([...findDamage(db)].filter((finding) => finding !== undefined)).toEqual([])
  expect([...findDamage(db)].length - before).toBe(MORE / 1_000)
  db.close()
})

test('what is told of damage has no text of a caller', () => {
  const directory = filledFolder()
  const db = openDatabase(databaseFile(directory))
  db.exec(`${numbers} INSERT INTO idempotency
    SELECT (SELECT MIN(id) FROM keys), 'text ' || no, '', '', 1 FROM numbers`)
  db.close()
  const change = "UPDATE idempotency SET created_at = 7 WHERE idempotency_key = 'text 999'"
  changeBehindIndex(databaseFile(directory), 'idempotency_by_time', change)
  expect(findings(directory)).toEqual([
    expect.stringMatching(/^Rows of idempotency behind \d+ are not as they should be\.$/),
  ])
})
