/**
 * Databases for servers that keep their data in PostgreSQL: a data folder stands for a database of
 * its own, which is named as the folder is and whose address lies in the folder.
 *
 * So every case goes on to say which data it means by a folder, and a process that is handed one,
 * such as a command beside a server, finds the same database.
 */
import { existsSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import pg from 'pg'

const ADDRESS_FILE = 'address-of-the-database'

let server: string | undefined

/** The PostgreSQL, by an administrator's address, on which this process makes databases. */
export function nameServer(serverUrl: string | undefined): void {
  server = serverUrl
}

/** Undefined on the embedded store, where folders hold the data themselves. */
export const namedServer = (): string | undefined => server

/** `serverUrl` is that of an administrator. */
export async function createDatabase(dataDir: string, serverUrl: string): Promise<void> {
  const name = basename(dataDir)
  await administer(serverUrl, `CREATE DATABASE "${name}" TEMPLATE template0 ENCODING 'UTF8'`)
  await writeFile(join(dataDir, ADDRESS_FILE), addressOn(serverUrl, name))
}

/** Undefined for a folder that holds its data itself. */
export function databaseUrl(dataDir: string): string | undefined {
  const path = join(dataDir, ADDRESS_FILE)
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

/** Also while a killed server's connections are still open. */
export async function dropDatabase(dataDir: string): Promise<void> {
  const url = databaseUrl(dataDir)
  if (url === undefined) return
  await administer(url, `DROP DATABASE IF EXISTS "${basename(dataDir)}" WITH (FORCE)`)
}

async function administer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: addressOn(url, 'postgres') })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

function addressOn(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}
