// Brings a database file to the schema of this version: numbered SQL files, each in a transaction
// of its own together with its number, so that a crash leaves a whole schema, old or new. A file
// from a newer version is refused rather than guessed at.
import { readFileSync } from 'node:fs'
import { migrationsIn, type OnUpgrade } from '../../migrations.ts'
import { StoreRefusal } from '../../store.ts'
import type { Connection } from '../opening/open-database.ts'

const migrations = migrationsIn(new URL('./', import.meta.url))

export const SCHEMA_VERSION = migrations.at(-1)?.number ?? 0

const versionOf = (db: Connection): number =>
  db.prepare<[], number>('PRAGMA user_version').pluck().get() ?? 0

/** Whether `migrate` has something to do. */
export const isOlder = (db: Connection): boolean => versionOf(db) < SCHEMA_VERSION

export function migrate(db: Connection, onUpgrade?: OnUpgrade): void {
  const from = versionOf(db)
  if (from > 0 && from < SCHEMA_VERSION) onUpgrade?.({ from, to: SCHEMA_VERSION })
  for (;;) {
    // Two processes may start on a new folder at once: each step looks again under the write lock.
    const done = db.transaction(() => step(db)).immediate()
    if (done) return
  }
}

function step(db: Connection): boolean {
  const version = versionOf(db)
  if (version > SCHEMA_VERSION) {
    throw new StoreRefusal(
      `The data was written by a newer version (schema ${version}; this one knows ` +
        `${SCHEMA_VERSION}). Start that version, or use another MNEMOGRAPH_DATA_DIR.`,
    )
  }
  const next = migrations.find((migration) => migration.number > version)
  if (next === undefined) return true
  db.exec(readFileSync(next.file, 'utf8'))
  db.pragma(`user_version = ${next.number}`)
  return false
}
