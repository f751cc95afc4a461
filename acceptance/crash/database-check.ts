/**
 * Looks into the file between a kill and the next start, as the kill has left it: SQLite's own
 * checks, and what belongs together by the schema. Read only, so that nothing is repaired here.
 */
import { join } from 'node:path'
import Database from 'better-sqlite3'

/** Stands for the table of the pieces in use. */
const IN_USE = '$PIECES_IN_USE'
const LOOSE_ROWS: Readonly<Record<string, string>> = {
  'memories without a piece': `SELECT COUNT(*) FROM memories
     WHERE no NOT IN (SELECT memory_no FROM ${IN_USE})`,
  'pieces without a memory': `SELECT COUNT(*) FROM (SELECT memory_no FROM pieces
     UNION ALL SELECT memory_no FROM pieces_beside) WHERE memory_no NOT IN (SELECT no FROM memories)`,
  'tags without a memory':
    'SELECT COUNT(*) FROM memory_tags WHERE memory_no NOT IN (SELECT no FROM memories)',
  // A memory is in the lists of all its tags or, while it waits to be taken in, of none.
  'memories that are in some of their lists': `SELECT COUNT(*) FROM memories WHERE
    in_lists * json_array_length(tags)
      <> (SELECT COUNT(*) FROM memory_tags WHERE memory_no = memories.no)`,
}

/** What is wrong with the database, in words; nothing when all is well. */
export function databaseFindings(dataDir: string): string[] {
  const db = new Database(join(dataDir, 'mnemograph.db'), { readonly: true })
  try {
    const integrity = db.prepare<[], string>('PRAGMA integrity_check').pluck().all()
    const orphans = db.prepare('PRAGMA foreign_key_check').all()
    const inUse = db
      .prepare<[], string>("SELECT pieces_table FROM generations WHERE state = 'current'")
      .pluck()
      .get()
    const loose = Object.entries(LOOSE_ROWS).flatMap(([name, sql]) => {
      const count =
        db
          .prepare<[], number>(sql.replace(IN_USE, inUse ?? 'pieces'))
          .pluck()
          .get() ?? 0
      return count > 0 ? [`${count} ${name}`] : []
    })
    return [
      ...integrity.filter((finding) => finding !== 'ok'),
      ...(orphans.length > 0 ? [`${orphans.length} rows that refer to nothing`] : []),
      ...loose,
    ]
  } finally {
    db.close()
  }
}
