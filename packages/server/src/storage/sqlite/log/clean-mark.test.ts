// What a start may believe of the pages that it does not look at.
import { expect, test } from 'vitest'
import { newFolder } from '../../../testing/new-folder.ts'
import { databaseFile } from '../opening/data-folder.ts'
import { openDatabase } from '../opening/open-database.ts'
import { isMarkedClean, markClosed, markServing, removeMark } from './clean-mark.ts'

/** As a server leaves it that has looked at every page. */
function served() {
  const file = databaseFile(newFolder())
  const db = openDatabase(file)
  db.exec('CREATE TABLE rows (text TEXT)')
  markServing(file)
  return { file, db }
}

test('a file that was closed in order is known to be clean', () => {
  const { file, db } = served()
  expect(isMarkedClean(file)).toBe(true)
  db.close()
  expect(isMarkedClean(file)).toBe(false)
  markClosed(file)
  expect(isMarkedClean(file)).toBe(true)
})

test('what was not known to be clean is not so because it is closed', () => {
  const { file, db } = served()
  removeMark(file)
  db.close()
  markClosed(file)
  expect(isMarkedClean(file)).toBe(false)
})
