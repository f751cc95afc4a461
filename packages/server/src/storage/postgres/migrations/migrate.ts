// Brings a database to the schema of this version: numbered SQL files, each in a transaction of its
// own together with its number, so that a process that ends at any statement leaves a whole schema,
// old or new. An advisory lock lets one instance do it while the others wait. A migration has to
// leave the version before it able to serve, since in a rolling upgrade both run side by side.
// decisions/2026-11-21-postgres-migrations.md
import { readFileSync } from 'node:fs'
import type { ClientBase } from 'pg'
import { type Migration, migrationsIn, type OnUpgrade } from '../../migrations.ts'
import { StoreRefusal } from '../../store.ts'
import { SCHEMA } from '../connection/connection.ts'
import { LOCKS } from '../connection/locks.ts'

const migrations = migrationsIn(new URL('./', import.meta.url))

export const SCHEMA_VERSION = migrations.at(-1)?.number ?? 0

export type UpgradeEvents = {
  onUpgrade?: OnUpgrade
  /** Another instance has begun. */
  onWaitForUpgrade?: () => void
}

/** `upTo` stops at an older schema, as an older version would. Throws a StoreRefusal. */
export async function migrate(
  client: ClientBase,
  { upTo = SCHEMA_VERSION, onUpgrade, onWaitForUpgrade }: { upTo?: number } & UpgradeEvents = {},
): Promise<void> {
  await lock(client, onWaitForUpgrade)
  try {
    await client.query(
      `CREATE SCHEMA IF NOT EXISTS ${SCHEMA};
       GRANT USAGE ON SCHEMA ${SCHEMA} TO mnemograph_service, mnemograph_maintenance;
       CREATE TABLE IF NOT EXISTS ${SCHEMA}.schema_versions (
         version integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now());
       GRANT SELECT ON ${SCHEMA}.schema_versions TO mnemograph_service, mnemograph_maintenance`,
    )
    const version = await versionOf(client)
    if (version > SCHEMA_VERSION) throw newerSchema(version)
    if (version > 0 && version < upTo) onUpgrade?.({ from: version, to: upTo })
    const next = migrations.filter(({ number }) => number > version && number <= upTo)
    for (const migration of next) await apply(client, migration)
  } finally {
    await whereConnected(client, `SELECT pg_advisory_unlock(${LOCKS.migration})`)
  }
}

async function lock(client: ClientBase, onWait?: () => void): Promise<void> {
  const { rows } = await client.query<{ locked: boolean }>(
    `SELECT pg_try_advisory_lock(${LOCKS.migration}) AS locked`,
  )
  if (rows[0]?.locked === true) return
  onWait?.()
  await client.query(`SELECT pg_advisory_lock(${LOCKS.migration})`)
}

async function versionOf(client: ClientBase): Promise<number> {
  const { rows } = await client.query<{ version: number | null }>(
    `SELECT max(version) AS version FROM ${SCHEMA}.schema_versions`,
  )
  return rows[0]?.version ?? 0
}

async function apply(client: ClientBase, { number, file }: Migration): Promise<void> {
  const sql = readFileSync(file, 'utf8')
  try {
    await client.query(`BEGIN; SET LOCAL search_path = ${SCHEMA}, public`)
    await client.query(sql)
    await client.query(`INSERT INTO ${SCHEMA}.schema_versions (version) VALUES ($1)`, [number])
    await client.query('COMMIT')
  } catch (error) {
    await whereConnected(client, 'ROLLBACK')
    throw error
  }
}

/** A lost connection has undone it by itself, and what went wrong first is what is told. */
async function whereConnected(client: ClientBase, sql: string): Promise<void> {
  await client.query(sql).catch(() => undefined)
}

const newerSchema = (version: number): StoreRefusal =>
  new StoreRefusal(
    `The database was written by a newer version (schema ${version}; this one knows ` +
      `${SCHEMA_VERSION}). Start that version, or use another DATABASE_URL.`,
  )
