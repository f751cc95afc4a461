// The migrations of a store: numbered SQL files in a folder, which bring a database from one schema to the next.
import { readdirSync } from 'node:fs'

export type Migration = { number: number; file: URL }

/** Before the first step of a store that has a schema: what it has, and what it gets. */
export type OnUpgrade = (schema: { from: number; to: number }) => void

/** In their order. */
export const migrationsIn = (folder: URL): Migration[] =>
  readdirSync(folder)
    .filter((name) => /^\d{4}-.*\.sql$/.test(name))
    .sort()
    .map((name) => ({ number: Number(name.slice(0, 4)), file: new URL(name, folder) }))
