import { expect, test } from 'vitest'
import { newFolder } from '../../../testing/new-folder.ts'
import { migrate, SCHEMA_VERSION } from '../migrations/migrate.ts'
import { openFiles, TELLS_OPEN_FILES } from '../testing/open-files.ts'
import { databaseFile } from './data-folder.ts'
import { openDatabase } from './open-database.ts'
import { openAsGuest } from './open-migrated.ts'

test.skipIf(!TELLS_OPEN_FILES)('a file that is refused is closed again', () => {
  const directory = newFolder()
  const newer = openDatabase(databaseFile(directory))
  migrate(newer)
  newer.pragma(`user_version = ${SCHEMA_VERSION + 1}`)
  newer.close()
  expect(() => openAsGuest(directory)).toThrow(/written by a newer version/)
  expect(openFiles().filter((path) => path.startsWith(directory))).toEqual([])
})
