// What a server must be before the service trusts it with data: a version with what is used here,
// UTF-8, and settings under which an acknowledged commit survives a power cut. A start on anything
// else is refused with a text that says what to change.
import type { ClientBase } from 'pg'
import { isOlder } from '../../older-version.ts'
import { StoreRefusal } from '../../store.ts'
import { SCHEMA } from '../connection/connection.ts'

const VERSION_MIN = 160_000
/** What finds all results of a filtered search. */
export const VECTOR_VERSION_MIN = [0, 8, 4] as const

export type Durability = 'required' | 'unchecked'

type Settings = {
  version: number
  encoding: string
  fsync: string
  synchronous_commit: string
  full_page_writes: string
}

/** Throws a StoreRefusal. */
export async function checkServer(client: ClientBase, durability: Durability): Promise<void> {
  const { rows } = await client.query<Settings>(
    `SELECT current_setting('server_version_num')::int AS version,
       current_setting('server_encoding') AS encoding, current_setting('fsync') AS fsync,
       current_setting('synchronous_commit') AS synchronous_commit,
       current_setting('full_page_writes') AS full_page_writes`,
  )
  const [settings] = rows
  if (settings === undefined) throw new Error('A server without settings.')
  if (settings.version < VERSION_MIN) {
    throw new StoreRefusal('PostgreSQL 16 or newer is needed; the server is older.')
  }
  if (settings.encoding !== 'UTF8') {
    throw new StoreRefusal(
      `The database is encoded in ${settings.encoding}. Create it with ENCODING 'UTF8'.`,
    )
  }
  if (durability === 'required') refuseUnsafe(settings)
}

function refuseUnsafe({ fsync, synchronous_commit, full_page_writes }: Settings): void {
  const unsafe = Object.entries({ fsync, synchronous_commit, full_page_writes }).filter(
    ([, value]) => value === 'off',
  )
  if (unsafe.length === 0) return
  const names = unsafe.map(([name]) => name).join(', ')
  throw new StoreRefusal(
    `The server runs with ${names} = off, so it can lose or damage what it has acknowledged. ` +
      'Turn it on, or set MNEMOGRAPH_DATABASE_DURABILITY=unchecked to start nevertheless.',
  )
}

/**
 * Of two open connections. Behind a pooler in transaction mode they take turns at one session, and each meets the
 * role, the locks and the statements of the other there. Throws a StoreRefusal.
 */
export async function checkSessions(first: ClientBase, second: ClientBase): Promise<void> {
  if ((await sessionOf(first)) !== (await sessionOf(second))) return
  throw new StoreRefusal(
    'Two connections to DATABASE_URL share one session of the server, as behind a pooler in transaction mode. ' +
      'Run the pooler in session mode, or let DATABASE_URL name the server itself.',
  )
}

async function sessionOf(client: ClientBase): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  return rows[0]?.pid
}

/**
 * Throws a StoreRefusal. Before the first migration it may be missing, which makes it then; afterwards
 * every role of the service has to reach it.
 */
export async function checkVectorExtension(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ version: string; schema: string; reached: boolean }>(
    `SELECT extversion AS version, nspname AS schema,
       coalesce((SELECT bool_and(has_schema_privilege(rolname, nspname, 'USAGE')) FROM pg_roles
         WHERE rolname IN ('mnemograph_service', 'mnemograph_maintenance')), true) AS reached
     FROM pg_extension JOIN pg_namespace AS n ON n.oid = extnamespace WHERE extname = 'vector'`,
  )
  const [extension] = rows
  if (extension === undefined) return
  const { version, schema, reached } = extension
  if (isOlder(version, VECTOR_VERSION_MIN)) {
    throw new StoreRefusal(
      `pgvector ${VECTOR_VERSION_MIN.join('.')} or newer is needed; the database has ${version}. ` +
        'Install it, then run: ALTER EXTENSION vector UPDATE;',
    )
  }
  if (![SCHEMA, 'public'].includes(schema)) {
    throw new StoreRefusal(
      `pgvector is in the schema ${schema}, where the service does not look for it. Let an ` +
        'administrator run: ALTER EXTENSION vector SET SCHEMA public;',
    )
  }
  if (!reached) {
    throw new StoreRefusal(
      `The roles of the service cannot use pgvector. Let an administrator run: GRANT USAGE ON SCHEMA ` +
        `${schema} TO mnemograph_service, mnemograph_maintenance;`,
    )
  }
}
