// The two roles that own nothing. The service runs as the first: the policies of the tables show it
// one space at a time. Moving a store to another model or another database looks at every space:
// that is the second. Whoever connects has to be allowed to become them; roles belong to the whole
// server, so they may be there already, and then be those of another installation as well.
import type { ClientBase } from 'pg'
import { errorCodeOf } from '../../../error-code.ts'
import { StoreRefusal } from '../../store.ts'
import type { Role } from './connection.ts'

const ROLES: Role[] = ['mnemograph_service', 'mnemograph_maintenance']
/** Somebody else made the role, or granted it, at the same moment. */
const CONCURRENTLY_MADE = /^(42710|23505|XX000)$/
const NOT_ALLOWED = '42501'

/** Throws a StoreRefusal that says what an administrator has to run. */
export async function prepareRoles(client: ClientBase): Promise<void> {
  for (const role of ROLES) {
    if (!(await isThere(client, role))) await make(client, `CREATE ROLE ${role} NOLOGIN`)
  }
  for (const role of ROLES) {
    if (!(await isMember(client, role))) await make(client, `GRANT ${role} TO CURRENT_USER`)
  }
}

async function make(client: ClientBase, statement: string): Promise<void> {
  try {
    await client.query(statement)
  } catch (error) {
    const code = errorCodeOf(error)
    if (code === NOT_ALLOWED) throw await notAllowed(client, error)
    if (!CONCURRENTLY_MADE.test(code)) throw error
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

const SHARED =
  'They are there already: installations that share a server share its roles, and each can read the ' +
  'other’s data unless CONNECT is revoked on both databases (REVOKE CONNECT ON DATABASE <database> ' +
  'FROM PUBLIC). See "The database" in docs/scaling.md. '

/** What is there already would end the statements of an administrator at the first one. */
async function notAllowed(client: ClientBase, cause: unknown): Promise<StoreRefusal> {
  const statements: string[] = []
  for (const role of ROLES) {
    if (!(await isThere(client, role))) statements.push(`CREATE ROLE ${role} NOLOGIN;`)
  }
  const areShared = statements.length < ROLES.length
  statements.push(`GRANT ${ROLES.join(', ')} TO <user of DATABASE_URL>;`)
  return new StoreRefusal(
    'The user of DATABASE_URL may not give itself the roles of the service. ' +
      `${areShared ? SHARED : ''}Let an administrator run: ${statements.join(' ')}`,
    cause,
  )
}
