// LanceDB with its exact scan, an index on the user, and a column for each tag that is asked for.
import { requirePeer, VERSIONS } from './install.ts'
import { FOUND, type Peer } from './peer.ts'
import { batchesOf } from './rows.ts'

// What is used of the package, as its documentation has it.
type Query = {
  where(condition: string): Query
  select(columns: string[]): Query
  limit(count: number): Query
  toArray(): Promise<{ id: string }[]>
}
type Table = {
  add(rows: object[]): Promise<unknown>
  search(vector: Float32Array): Query
  createIndex(column: string, options: object): Promise<void>
  optimize(): Promise<unknown>
}
type Connection = {
  createTable(name: string, rows: object[]): Promise<Table>
  openTable(name: string): Promise<Table>
  close(): void
}
type Package = {
  connect(directory: string): Promise<Connection>
  Index: { btree(): object }
}

const BATCH = 10_000
const TABLE = 'memories'

export const lanceDb: Peer = {
  name: 'LanceDB',
  version: VERSIONS['@lancedb/lancedb'],
  memoriesMax: 1_000_000,
  note: 'does not flush to the disk before it acknowledges',
  async fill(directory, memories) {
    const { connect, Index } = load()
    const connection = await connect(directory)
    let table: Table | undefined
    for (const batch of batchesOf(memories, BATCH)) {
      const rows = batch.map(({ id, content, userId, tags, vector }) => ({
        id,
        content,
        user: userId,
        vector: [...vector],
        work: tags.includes('work'),
        travel: tags.includes('travel'),
      }))
      if (table === undefined) table = await connection.createTable(TABLE, rows)
      else await table.add(rows)
    }
    await table?.optimize()
    await table?.createIndex('user', { config: Index.btree() })
    connection.close()
  },
  async open(directory) {
    const connection = await load().connect(directory)
    const table = await connection.openTable(TABLE)
    return {
      async search(vector, { userId, tags }) {
        const conditions = [
          ...(userId === undefined ? [] : [`user = '${userId}'`]),
          ...(tags ?? []).map((tag) => `${tag} = true`),
        ]
        const query = table.search(vector)
        const filtered = conditions.length === 0 ? query : query.where(conditions.join(' AND '))
        const rows = await filtered.select(['id', 'content', '_distance']).limit(FOUND).toArray()
        return rows.map(({ id }) => id)
      },
      async [Symbol.asyncDispose]() {
        connection.close()
      },
    }
  },
}

function load(): Package {
  const found: Package = requirePeer('@lancedb/lancedb')
  return found
}
