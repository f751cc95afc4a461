// The two roles that own nothing. The service runs as the first: the policies of the tables show it
// one space at a time. Moving a store to another model or another database looks at every space:
// that is the second. Whoever connects has to be allowed to become them; roles belong to the whole
// server, so they may be there already.
import type { ClientBase } from 'pg'
import { StoreRefusal } from '../store.ts'
import type { Role } from './connection.ts'
import { postgresCodeOf } from './failure.ts'

const ROLES: Role[] = ['mnemograph_service', 'mnemograph_maintenance']
/** Somebody else made the role, or granted it, at the same moment. */
const CONCURRENTLY_MADE = /^(42710|23505|XX000)$/
const NOT_ALLOWED = '42501'

/** Throws a StoreRefusal that says what an administrator has to run. */
export async function prepareRoles(client: ClientBase): Promise<void> {
  for (const role of ROLES) {
    if (await isThere(client, role)) continue
    try {
      await client.query(`CREATE ROLE ${role} NOLOGIN`)
    } catch (error) {
      if (!CONCURRENTLY_MADE.test(postgresCodeOf(error))) throw explained(error)
    }
  }
  for (const role of ROLES) {
    if (await isMember(client, role)) continue
    try {
      await client.query(`GRANT ${role} TO CURRENT_USER`)
    } catch (error) {
      if (!CONCURRENTLY_MADE.test(postgresCodeOf(error))) throw explained(error)
    }
  }
}

async function isThere(client: ClientBase, role: Role): Promise<boolean> {
  const { rowCount } = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [role])
  return rowCount === 1
}

async function isMember(client: ClientBase, role: Role): Promise<boolean> {
  const { rows } = await client.query<{ member: boolean }>(
    "SELECT pg_has_role(current_user, $1, 'SET') AS member",
    [role],
  )
  return rows[0]?.member === true
}

function explained(error: unknown): unknown {
  if (postgresCodeOf(error) !== NOT_ALLOWED) return error
  const statements = ROLES.map((role) => `CREATE ROLE ${role} NOLOGIN;`).join(' ')
  return new StoreRefusal(
    'The user of DATABASE_URL may not create the roles of the service. Let an administrator run: ' +
      `${statements} GRANT ${ROLES.join(', ')} TO <user of DATABASE_URL>;`,
    error,
  )
}
