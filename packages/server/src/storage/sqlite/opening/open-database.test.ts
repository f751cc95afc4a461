import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { newFolder } from '../../../testing/new-folder.ts'
import { openDatabase } from './open-database.ts'

const SAFE = {
  journal_mode: 'wal',
  synchronous: 2,
  foreign_keys: 1,
  secure_delete: 1,
  trusted_schema: 0,
  wal_autocheckpoint: 0,
}

const settingsOf = (db: Database.Database) =>
  Object.fromEntries(Object.keys(SAFE).map((name) => [name, db.pragma(name, { simple: true })]))

test('every connection is durable, on a new file and on one that is opened again', () => {
  const file = join(newFolder(), 'a.db')
  const first = openDatabase(file)
  first.exec('CREATE TABLE t (a)')
  const beside = openDatabase(file)
  expect(settingsOf(first)).toEqual(SAFE)
  expect(settingsOf(beside)).toEqual(SAFE)
  first.close()
  beside.close()
  // The reason for the check: left alone, this build of SQLite syncs a WAL file less.
  const careless = new Database(file)
  expect(careless.pragma('synchronous', { simple: true })).toBe(1)
  careless.close()
  const again = openDatabase(file)
  expect(settingsOf(again)).toEqual(SAFE)
  again.close()
})

test('a place where SQLite cannot have a log is refused', () => {
  expect(() => openDatabase(':memory:')).toThrow(/does not accept journal_mode=wal/)
})
