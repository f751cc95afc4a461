// How much each table of the shared store takes on the disk, with its indexes; the indexes of vectors are
// counted separately.
import pg from 'pg'

const INDEX_OF_VECTORS = 'hnsw'

type TableSizes = ReadonlyMap<string, number>

/** Bytes by table. */
export async function tableSizes(url: string): Promise<TableSizes> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string; bytes: number; vectors: number }>(
      `SELECT whole.relname AS name, sum(pg_total_relation_size(part.oid))::float8 AS bytes,
         sum((SELECT COALESCE(sum(pg_relation_size(own.oid)), 0) FROM pg_index
           JOIN pg_class AS own ON own.oid = indexrelid JOIN pg_am ON pg_am.oid = own.relam
           WHERE indrelid = part.oid AND amname = $1))::float8 AS vectors
       FROM pg_inherits
       JOIN pg_class AS part ON part.oid = inhrelid JOIN pg_class AS whole ON whole.oid = inhparent
       WHERE whole.relkind = 'p' AND whole.relnamespace = 'mnemograph'::regnamespace
       GROUP BY whole.relname ORDER BY whole.relname`,
      [INDEX_OF_VECTORS],
    )
    const tables = rows.map(({ name, bytes, vectors }) => [name, bytes - vectors] as const)
    const all = rows.reduce((sum, { vectors }) => sum + vectors, 0)
    return new Map([...tables, [INDEX_OF_VECTORS, all]])
  } finally {
    await client.end()
  }
}

/** How much each has grown for each of the memories, in bytes. */
export const grownBy = (before: TableSizes, after: TableSizes, memories: number) =>
  [...after]
    .map(([name, bytes]) => ({ name, bytes: (bytes - (before.get(name) ?? 0)) / memories }))
    .filter(({ bytes }) => bytes >= 1)
