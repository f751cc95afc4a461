// The file of a store with the tables of an earlier version, to be filled with rows as they were then.
import { readdirSync, readFileSync } from 'node:fs'
import { databaseFile } from '../opening/data-folder.ts'
import { type Connection, openDatabase } from '../opening/open-database.ts'

const MIGRATIONS = new URL('../migrations/', import.meta.url)

export function openEarlier(directory: string, version: number): Connection {
  const db = openDatabase(databaseFile(directory))
  const files = readdirSync(MIGRATIONS).filter((name) => name.endsWith('.sql'))
  for (const file of files.sort().slice(0, version)) {
    db.exec(readFileSync(new URL(file, MIGRATIONS), 'utf8'))
  }
  db.pragma(`user_version = ${version}`)
  return db
}
