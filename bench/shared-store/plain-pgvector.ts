// The peer: pgvector in its plainest use. One table, a column for the space, an index over the vectors, and
// ORDER BY embedding <=> $1 with the filters in WHERE.
import pg from 'pg'
import { toText } from '../../packages/server/src/storage/postgres/pieces.ts'
import { DIMENSION } from '../data/sample.ts'

export class PlainPgvector {
  readonly #client: pg.Client

  private constructor(client: pg.Client) {
    this.#client = client
  }

  /** Copies the spaces with a number above `over`. */
  static async copy(
    url: string,
    { over, hasVectorIndex }: { over: number; hasVectorIndex: boolean },
  ): Promise<PlainPgvector> {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(
      `SET search_path = public, mnemograph; DROP TABLE IF EXISTS plain;
       CREATE TABLE plain (id text, space_no bigint, user_id text, content text,
         embedding vector(${DIMENSION}));
       INSERT INTO plain SELECT memories.id, memories.space_no, user_id, content, vector
         FROM mnemograph.memories JOIN mnemograph.pieces
           ON pieces.space_no = memories.space_no AND memory_no = no
         WHERE memories.space_no > ${over};
       CREATE INDEX ON plain (space_no)`,
    )
    if (hasVectorIndex) {
      await client.query(
        `SET maintenance_work_mem = '1GB';
         CREATE INDEX ON plain USING hnsw (embedding vector_cosine_ops)`,
      )
    }
    await client.query('ANALYZE plain')
    return new PlainPgvector(client)
  }

  async search(vector: Float32Array, space: number, userId?: string): Promise<string[]> {
    const filter = userId === undefined ? '' : 'AND user_id = $3'
    const { rows } = await this.#client.query<{ id: string }>({
      name: `plain-${filter.length}`,
      text: `SELECT id, content FROM plain WHERE space_no = $2 ${filter}
        ORDER BY embedding <=> $1 LIMIT 10`,
      values: [toText(vector), space, ...(userId === undefined ? [] : [userId])],
    })
    return rows.map(({ id }) => id)
  }

  async close(): Promise<void> {
    await this.#client.query('DROP TABLE plain')
    await this.#client.end()
  }
}
