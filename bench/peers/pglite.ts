// PGlite with pgvector, in this process: one table, indexes over user and tags, and ORDER BY distance,
// which is an exact scan.
import { DIMENSION } from '../data/sample.ts'
import { requirePeer, VERSIONS } from './install.ts'
import { FOUND, type Peer } from './peer.ts'
import { batchesOf } from './rows.ts'

// What is used of the packages, as their documentation has it.
type Database = {
  exec(sql: string): Promise<unknown>
  query(sql: string, values: unknown[]): Promise<{ rows: { id: string }[] }>
  close(): Promise<void>
}
type Pglite = {
  PGlite: { create(options: { dataDir: string; extensions: object }): Promise<Database> }
}
type Pgvector = { vector: unknown }

const BATCH = 500

export const pglite: Peer = {
  name: 'PGlite + pgvector',
  version: `${VERSIONS['@electric-sql/pglite']} + ${VERSIONS['@electric-sql/pglite-pgvector']}`,
  memoriesMax: 100_000,
  note: 'does not flush to the disk before it acknowledges',
  async fill(directory, memories) {
    const db = await openAt(directory)
    await db.exec(
      `CREATE EXTENSION vector;
       CREATE TABLE memories (id text, content text, user_id text, tags text[],
         embedding vector(${DIMENSION}));`,
    )
    for (const batch of batchesOf(memories, BATCH)) {
      await db.query(
        `INSERT INTO memories SELECT id, content, "userId", tags, vector::vector
         FROM jsonb_to_recordset($1::jsonb)
           AS row (id text, content text, "userId" text, tags text[], vector text)`,
        [JSON.stringify(batch.map((row) => ({ ...row, vector: toText(row.vector) })))],
      )
    }
    await db.exec(
      `CREATE INDEX ON memories (user_id);
       CREATE INDEX ON memories USING gin (tags);
       ANALYZE memories`,
    )
    await db.close()
  },
  async open(directory) {
    const db = await openAt(directory)
    return {
      async search(vector, { userId, tags }) {
        const [where, values] =
          userId !== undefined
            ? ['WHERE user_id = $2', [userId]]
            : tags !== undefined
              ? ['WHERE tags @> $2', [tags]]
              : ['', []]
        const { rows } = await db.query(
          `SELECT id, content FROM memories ${where} ORDER BY embedding <=> $1 LIMIT ${FOUND}`,
          [toText(vector), ...values],
        )
        return rows.map(({ id }) => id)
      },
      [Symbol.asyncDispose]: () => db.close(),
    }
  },
}

const toText = (vector: Float32Array): string => `[${vector.join(',')}]`

function openAt(directory: string): Promise<Database> {
  const { PGlite }: Pglite = requirePeer('@electric-sql/pglite')
  const { vector }: Pgvector = requirePeer('@electric-sql/pglite-pgvector')
  return PGlite.create({ dataDir: directory, extensions: { vector } })
}
