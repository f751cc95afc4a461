// Embedded stores in folders of their own, for tests of what only this driver has: files, threads,
// locks and pragmas.
import { onTestFinished } from 'vitest'
import type { Store } from '../../store.ts'
import { unlistedMemories } from '../lists/take-in.ts'
import { openSqliteStore, type SqliteOptions } from '../open-store.ts'
import { databaseFile } from '../opening/data-folder.ts'
import { openDatabase } from '../opening/open-database.ts'

/** Closed when the test has finished, unless the test has closed it. */
export async function openIn(
  directory: string,
  options: Partial<SqliteOptions> = {},
): Promise<Store> {
  const onDeath = (error: unknown): never => {
    throw error
  }
  const store = await openSqliteStore({ directory, onDeath, ...options })
  let closed: Promise<void> | undefined
  const close = (): Promise<void> => {
    closed ??= store.close()
    return closed
  }
  onTestFinished(close)
  return { ...store, close }
}

/** Takes all memories of a store that is in use into their lists, as it does itself a moment later. */
export function takeAllIn(directory: string): void {
  const db = openDatabase(databaseFile(directory))
  const { count, takeIn } = unlistedMemories(db)
  while (count() > 0) takeIn(count())
  db.close()
}
