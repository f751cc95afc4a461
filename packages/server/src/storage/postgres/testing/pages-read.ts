// How much a store reads, by what the server counts. A vacuum that comes by reads pages, too, and would be
// counted with it.
import { SCHEMA } from '../connection/connection.ts'
import type { OwnedDatabase } from './owned-database.ts'

type Ask = OwnedDatabase['ask']

/** The tables by their names and those of their partitions. */
const NAMED = "regexp_replace(relname, '_\\d\\d$', '') = ANY($1)"

/** Of partitioned tables and their indexes, by whoever has told of them: a connection does when it ends. */
export async function pagesRead(ask: Ask, tables: readonly string[]): Promise<number> {
  const [row] = await ask(
    `SELECT sum(heap_blks_read + heap_blks_hit + idx_blks_read + idx_blks_hit)::float8 AS read
     FROM pg_statio_user_tables WHERE ${NAMED}`,
    [tables],
  )
  return Number(row?.['read'])
}

export async function stopVacuum(ask: Ask, tables: readonly string[]): Promise<void> {
  const rows = await ask(
    `SELECT oid::regclass AS name FROM pg_class
     WHERE relkind = 'r' AND relnamespace = '${SCHEMA}'::regnamespace AND ${NAMED}`,
    [tables],
  )
  for (const { name } of rows) await ask(`ALTER TABLE ${name} SET (autovacuum_enabled = off)`)
}
