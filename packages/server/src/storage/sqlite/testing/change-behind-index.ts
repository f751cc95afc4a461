import { type Connection, openDatabase } from '../opening/open-database.ts'

type Schema = [type: string, name: string, table: string, rootPage: number, sql: string]

/** Changes rows so that an index does not hear of it. */
export function changeBehindIndex(file: string, index: string, change: string): void {
  const edit = (work: (db: Connection) => void): void => {
    const db = openDatabase(file)
    db.unsafeMode()
    db.pragma('writable_schema = ON')
    work(db)
    db.close()
  }
  let kept: Schema | undefined
  edit((db) => {
    const schema = 'SELECT * FROM sqlite_schema WHERE name = ?'
    kept = db.prepare<[string], Schema>(schema).raw().get(index)
    db.prepare('DELETE FROM sqlite_schema WHERE name = ?').run(index)
  })
  edit((db) => db.exec(change))
  edit((db) => db.prepare('INSERT INTO sqlite_schema VALUES (?, ?, ?, ?, ?)').run(...(kept ?? [])))
}
