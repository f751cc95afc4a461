// sqlite-vec as its documentation has it: a virtual table with the vector and the user, and tables of their
// own for tags and texts. Durable like the product: WAL with FULL.
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { DIMENSION } from '../data/sample.ts'
import { requirePeer, VERSIONS } from './install.ts'
import { FOUND, type Peer } from './peer.ts'
import { batchesOf } from './rows.ts'

type Extension = { load(db: Database.Database): void }

export const sqliteVec: Peer = {
  name: 'sqlite-vec',
  version: VERSIONS['sqlite-vec'],
  memoriesMax: 1_000_000,
  async fill(directory, memories) {
    const db = openAt(directory)
    db.exec(
      `CREATE VIRTUAL TABLE vectors USING vec0(
         memory INTEGER PRIMARY KEY, user_id TEXT, vector float[${DIMENSION}]);
       CREATE TABLE memories (no INTEGER PRIMARY KEY, id TEXT, content TEXT) STRICT;
       CREATE TABLE tags (tag TEXT, memory INTEGER, PRIMARY KEY (tag, memory)) STRICT, WITHOUT ROWID`,
    )
    const vector = db.prepare('INSERT INTO vectors (memory, user_id, vector) VALUES (?, ?, ?)')
    const memory = db.prepare('INSERT INTO memories (no, id, content) VALUES (?, ?, ?)')
    const tag = db.prepare('INSERT INTO tags (tag, memory) VALUES (?, ?)')
    for (const batch of batchesOf(memories)) {
      db.transaction(() => {
        for (const row of batch) {
          vector.run(BigInt(row.number), row.userId, row.vector)
          memory.run(row.number, row.id, row.content)
          for (const name of row.tags) tag.run(name, row.number)
        }
      })()
    }
    db.close()
  },
  async open(directory) {
    const db = openAt(directory)
    const among = 'AND memory IN (SELECT memory FROM tags WHERE tag = ? INTERSECT '
    const select = (condition: string) =>
      db
        .prepare<unknown[], string>(
          `WITH nearest AS (SELECT memory, distance FROM vectors
             WHERE vector MATCH ? AND k = ${FOUND} ${condition})
           SELECT id, content FROM nearest JOIN memories ON no = memory ORDER BY distance`,
        )
        .pluck()
    const plain = select('')
    const byUser = select('AND user_id = ?')
    const byTags = select(`${among} SELECT memory FROM tags WHERE tag = ?)`)
    return {
      async search(vector, { userId, tags }) {
        if (userId !== undefined) return byUser.all(vector, userId)
        return tags === undefined ? plain.all(vector) : byTags.all(vector, ...tags)
      },
      async [Symbol.asyncDispose]() {
        db.close()
      },
    }
  },
}

function openAt(directory: string): Database.Database {
  const db = new Database(join(directory, 'peer.db'))
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.pragma(`cache_size = -${64 * 1024}`)
  const extension: Extension = requirePeer('sqlite-vec')
  extension.load(db)
  return db
}
