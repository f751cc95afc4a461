// The database file with the tables that this version works with. What is damaged, of a later version
// or half imported is refused before anything is done with it, in words that say what to do.
import type { OnUpgrade } from '../../migrations.ts'
import { expectNoUnfinishedImport } from '../import-progress.ts'
import { isOlder, migrate } from '../migrations/migrate.ts'
import { databaseFile, expectWritable, toRefusal } from './data-folder.ts'
import { lockToMigrate } from './directory-lock.ts'
import { type Connection, openDatabase } from './open-database.ts'

/**
 * For whoever holds the server's lock. `checkBefore` sees the file as it was, `checkAfter` with its tables.
 * Throws a StoreRefusal.
 */
export function openMigrated(
  file: string,
  {
    checkBefore,
    onUpgrade,
    checkAfter,
  }: {
    checkBefore: (db: Connection) => void
    onUpgrade?: OnUpgrade | undefined
    checkAfter?: (db: Connection) => void
  },
): Connection {
  let db: Connection | undefined
  try {
    expectWritable(file)
    db = openDatabase(file)
    checkBefore(db)
    migrate(db, onUpgrade)
    expectNoUnfinishedImport(db)
    checkAfter?.(db)
    return db
  } catch (error) {
    db?.close()
    throw toRefusal(file, error)
  }
}

/**
 * For a command, which may run beside a server. One of an earlier version would go on with tables that are
 * no longer there, so they are left to it. Throws a StoreRefusal.
 */
export function openAsGuest(directory: string): Connection {
  let unlock = (): void => undefined
  try {
    return openMigrated(databaseFile(directory), {
      checkBefore(found) {
        if (isOlder(found)) unlock = lockToMigrate(directory, () => isOlder(found))
      },
    })
  } finally {
    unlock()
  }
}
