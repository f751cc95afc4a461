// Where the benchmark keeps what takes minutes to make: embedded texts, filled stores and the peers'
// data. Outside of version control. A folder's name says of what version it is, so that nothing is used
// that another version made.
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PIECES_VERSION } from '../../packages/server/src/embedding/pieces-version.ts'

/** Raised whenever the benchmark makes other data. */
const DATA = 3
export const DATA_VERSION = `v${DATA}-pieces${PIECES_VERSION}`

const ROOT = fileURLToPath(new URL('../../.cache/bench/', import.meta.url))
const MIGRATIONS = new URL('../../packages/server/src/storage/sqlite/migrations/', import.meta.url)

/** Of the embedded store: a store that another one filled is not opened. */
export const schemaVersion = (): number => readdirSync(MIGRATIONS).length

/** Makes the folder. */
export function cacheFolder(...names: string[]): string {
  const folder = join(ROOT, ...names)
  mkdirSync(folder, { recursive: true })
  return folder
}
