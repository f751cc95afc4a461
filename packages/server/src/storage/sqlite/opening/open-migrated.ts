// The database file with the tables that this version works with. What is damaged, of a later version
// or half imported is refused before anything is done with it, in words that say what to do.

import { expectNoUnfinishedImport } from '../import-progress.ts'
import { migrate } from '../migrate.ts'
import { toRefusal } from './data-folder.ts'
import { type Connection, openDatabase } from './open-database.ts'

/** `checkBefore` sees the file as it was, `checkAfter` with its tables. Throws a StoreRefusal. */
export function openMigrated(
  file: string,
  checkBefore?: (db: Connection) => void,
  checkAfter?: (db: Connection) => void,
): Connection {
  let db: Connection | undefined
  try {
    db = openDatabase(file)
    checkBefore?.(db)
    migrate(db)
    expectNoUnfinishedImport(db)
    checkAfter?.(db)
    return db
  } catch (error) {
    db?.close()
    throw toRefusal(file, error)
  }
}
