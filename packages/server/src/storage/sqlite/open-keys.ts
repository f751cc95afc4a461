// The keys alone, for the command line: no threads, no lock, so that it works beside a server on
// the same folder, which sees each change with its next request.
import type { KeyStore } from '../store.ts'
import { keyReads, keyWrites } from './keys.ts'
import { migrate } from './migrate.ts'
import { openDatabase } from './open-database.ts'
import { createDirectory, databaseFile } from './open-store.ts'

export function openSqliteKeys(directory: string): { keys: KeyStore; close: () => void } {
  createDirectory(directory)
  const db = openDatabase(databaseFile(directory))
  migrate(db)
  const reads = keyReads(db)
  const writes = keyWrites(db)
  const insert = db.transaction(writes.insert)
  const revoke = db.transaction(writes.revoke)
  return {
    keys: {
      insert: async (key) => insert.immediate(key),
      findByHash: async (hash) => reads.findByHash(hash),
      list: async () => reads.list(),
      revoke: async (id) => revoke.immediate(id),
    },
    close: () => db.close(),
  }
}
