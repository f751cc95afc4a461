// Where the benchmark keeps what takes minutes to make, outside version control: embedded texts, filled
// stores and the peers' data. Folders are named by version, so that data of another version is never used.
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PIECES_VERSION } from '../../packages/server/src/embedding/pieces-version.ts'

/** Raised whenever the benchmark makes other data. */
const DATA = 3
export const DATA_VERSION = `v${DATA}-pieces${PIECES_VERSION}`

const ROOT = fileURLToPath(new URL('../../.cache/bench/', import.meta.url))
const MIGRATIONS = new URL('../../packages/server/src/storage/sqlite/migrations/', import.meta.url)

/** The embedded store's: a store filled under another schema is not opened. */
export const schemaVersion = (): number =>
  readdirSync(MIGRATIONS).filter((name) => name.endsWith('.sql')).length

/** The path of a folder in the cache, which is made if it is missing. */
export function cacheFolder(...names: string[]): string {
  const folder = join(ROOT, ...names)
  mkdirSync(folder, { recursive: true })
  return folder
}
