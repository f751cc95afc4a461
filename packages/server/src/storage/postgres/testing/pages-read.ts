import type { OwnedDatabase } from './owned-database.ts'

/** Of partitioned tables and their indexes, by whoever has told of them: a connection does when it ends. */
export async function pagesRead(
  ask: OwnedDatabase['ask'],
  tables: readonly string[],
): Promise<number> {
  const [row] = await ask(
    `SELECT sum(heap_blks_read + heap_blks_hit + idx_blks_read + idx_blks_hit)::float8 AS read
     FROM pg_statio_user_tables WHERE regexp_replace(relname, '_\\d\\d$', '') = ANY($1)`,
    [tables],
  )
  return Number(row?.['read'])
}
