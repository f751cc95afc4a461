// A database of the test's own, and calls of the writer that are committed together, as its thread does it.
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { newFolder } from '../../../testing/new-folder.ts'
import { groupCommit } from '../commit/group-commit.ts'
import { migrate } from '../migrations/migrate.ts'
import { openDatabase } from '../opening/open-database.ts'
import { openWrites } from '../threads/writes.ts'

export type WriterCall = [name: string, ...args: unknown[]]

export function groupedWrites() {
  const db = openDatabase(join(newFolder(), 'a.db'))
  onTestFinished(() => void db.close())
  // Whoever uses it says nothing about the disk, for which nothing waits.
  db.pragma('synchronous = off')
  migrate(db)
  const { procedures, notes } = openWrites(db, [])
  const commitTogether = groupCommit(db, procedures, notes)
  return {
    db,
    commit: (...calls: WriterCall[]) =>
      commitTogether(calls.map(([name, ...args], id) => ({ id, name, args }))),
  }
}
