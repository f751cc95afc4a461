// Keys and accounts alone, for the command line: no threads, no lock, so that it works beside a server on
// the same folder, which sees each change with its next request.
import type { Administration } from '../store.ts'
import { accountReads } from './accounts/accounts.ts'
import { linkWrites } from './accounts/links.ts'
import { withStoreErrors } from './failure.ts'
import { keyReads, keyWrites } from './keys.ts'
import { createDirectory } from './opening/data-folder.ts'
import { openAsGuest } from './opening/open-migrated.ts'

/** Throws a StoreRefusal that says what to do when the folder cannot be used. */
export function openSqliteAdministration(
  directory: string,
): Administration & { close: () => void } {
  createDirectory(directory)
  const db = openAsGuest(directory)
  const reads = keyReads(db)
  const writes = keyWrites(db)
  const insert = db.transaction(writes.insert)
  const change = db.transaction(writes.change)
  const revoke = db.transaction(writes.revoke)
  const accounts = accountReads(db)
  const insertLink = db.transaction(linkWrites(db).insert)
  return {
    keys: {
      insert: async (key) => withStoreErrors(() => insert.immediate(key)),
      list: async () => withStoreErrors(() => reads.list()),
      change: async (id, changes) => withStoreErrors(() => change.immediate(id, changes)),
      revoke: async (id) => withStoreErrors(() => revoke.immediate(id)),
    },
    accounts: {
      list: async () => withStoreErrors(() => accounts.list()),
      findByEmail: async (email) => withStoreErrors(() => accounts.findByEmail(email)),
    },
    links: { insert: async (link) => withStoreErrors(() => insertLink.immediate(link)) },
    close: () => db.close(),
  }
}
