// Keys and accounts alone, for the command line, beside any number of servers, which see each change
// with their next request.
import type { Administration } from '../store.ts'
import { accountStore } from './accounts/accounts.ts'
import { linkStore } from './accounts/links.ts'
import { Database } from './connection/database.ts'
import { keyStore } from './keys.ts'
import { type PostgresOptions, prepareDatabase } from './open-store.ts'

/** Throws a StoreRefusal that says what to do when the database cannot be used. */
export async function openPostgresAdministration(
  options: Pick<PostgresOptions, 'url' | 'durability'>,
): Promise<Administration & { close: () => Promise<void> }> {
  await prepareDatabase(options)
  const database = new Database({
    url: options.url,
    role: 'mnemograph_service',
    connectionsMax: 1,
  })
  return {
    keys: keyStore(database),
    accounts: accountStore(database),
    links: linkStore(database),
    close: () => database.close(),
  }
}
