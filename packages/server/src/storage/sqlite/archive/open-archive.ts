// A store to read for an archive, beside a server or without one, and a store to fill from one, which
// nobody else may use meanwhile.
import { errorCodeOf } from '../../../error-code.ts'
import type { ArchiveSource, ArchiveTarget } from '../../archive.ts'
import { dropAllCopies } from '../index/copy-paths.ts'
import { removeMark } from '../log/clean-mark.ts'
import { LOG_BYTES_MAX, logBytes } from '../log/write-ahead-log.ts'
import { migrate } from '../migrations/migrate.ts'
import {
  createDirectory,
  databaseFile,
  existingFile,
  expectWritable,
  toRefusal,
} from '../opening/data-folder.ts'
import { lockDirectory } from '../opening/directory-lock.ts'
import { type Connection, openDatabase } from '../opening/open-database.ts'
import { openAsGuest } from '../opening/open-migrated.ts'
import { archiveSource } from './archive-source.ts'
import { archiveTarget, mayBeFilled } from './archive-target.ts'

/**
 * What is committed before the call is in it. Throws a StoreRefusal when there is no store, also while it is
 * read when it turns out to be damaged.
 */
export function openSqliteArchiveSource(directory: string): ArchiveSource {
  const file = existingFile(directory)
  const db = openAsGuest(directory)
  try {
    const source = archiveSource(db)
    return {
      ...source,
      async *records() {
        try {
          yield* source.records()
        } catch (error) {
          throw ofStore(file, error)
        }
      },
      async close() {
        db.close()
      },
    }
  } catch (error) {
    db.close()
    throw ofStore(file, error)
  }
}

/** What SQLite says is said of the store: whoever writes an archive would take it for a failure of that. */
const ofStore = (file: string, error: unknown): unknown =>
  errorCodeOf(error).startsWith('SQLITE_') ? toRefusal(file, error) : error

/** Throws a StoreRefusal when a server uses the folder, or when it cannot be used. */
export function openSqliteArchiveTarget(directory: string): ArchiveTarget {
  createDirectory(directory)
  const unlock = lockDirectory(directory)
  const file = databaseFile(directory)
  let db: Connection | undefined
  try {
    expectWritable(file)
    const opened = openDatabase(file)
    db = opened
    migrate(opened)
    if (mayBeFilled(opened)) {
      // A server that uses the store later looks at every page.
      removeMark(file)
      dropAllCopies(file)
    }
    return {
      ...archiveTarget(opened, () => {
        // Nobody else is there to read, and nothing was deleted.
        if (logBytes(file) > LOG_BYTES_MAX) opened.pragma('wal_checkpoint(TRUNCATE)')
      }),
      async close() {
        // The last one to close moves the log into the file, if there is room for it.
        opened.close()
        unlock()
      },
    }
  } catch (error) {
    db?.close()
    unlock()
    throw toRefusal(file, error)
  }
}
