// What of a large file is looked at before it is used.
import { truncateSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { newFolder } from '../../../testing/new-folder.ts'
import { StoreRefusal } from '../../store.ts'
import { checkBeforeUse, isLarge } from './check-file.ts'
import { databaseFile } from './data-folder.ts'
import { openDatabase } from './open-database.ts'

test('a large file whose last pages are still in the log is whole, and without them it is not', () => {
  const file = databaseFile(newFolder())
  const db = openDatabase(file)
  onTestFinished(() => void db.close())
  db.exec('CREATE TABLE texts (text BLOB); INSERT INTO texts VALUES (zeroblob(65 * 1024 * 1024))')
  expect(isLarge(file)).toBe(true)
  expect(() => checkBeforeUse(db, file)).not.toThrow()
  db.pragma('wal_checkpoint(TRUNCATE)')
  expect(() => checkBeforeUse(db, file)).not.toThrow()
  truncateSync(file, 64.5 * 1024 * 1024)
  expect(() => checkBeforeUse(db, file)).toThrow(StoreRefusal)
})
