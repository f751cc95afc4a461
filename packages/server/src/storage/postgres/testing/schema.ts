// Databases with a schema of an earlier version, and what is in them.
import { withOwner } from '../connection/owner.ts'
import { prepareRoles } from '../connection/roles.ts'
import { migrate } from '../migrations/migrate.ts'
import { prepareDatabase } from '../open-store.ts'

/** As a start does it. */
export const prepareWhole = (url: string): Promise<void> =>
  prepareDatabase({ url, durability: 'required' })

/** As the version did whose last migration it was. */
export const migrateUpTo = (url: string, upTo: number): Promise<void> =>
  withOwner(url, async (owner) => {
    await prepareRoles(owner)
    await migrate(owner, { upTo })
  })

/** As the owner of the tables sees them. */
export const rowsOf = (url: string, sql: string): Promise<unknown[]> =>
  withOwner(url, async (owner) => (await owner.query(sql)).rows)
