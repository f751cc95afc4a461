// Installs the peers, in exact versions, into a folder of their own: they are no part of the product.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const VERSIONS = {
  'sqlite-vec': '0.1.9',
  '@lancedb/lancedb': '0.39.0',
  '@electric-sql/pglite': '0.5.14',
  // Works with exactly that version of PGlite.
  '@electric-sql/pglite-pgvector': '0.0.15',
} as const
/** Later ones need a newer C library than Debian 12 has. */
export const CHROMA_VERSION = '1.0.5'

const FOLDER = fileURLToPath(new URL('../../.cache/peers/', import.meta.url))
const NODE = join(FOLDER, 'node')
const PYTHON = join(FOLDER, 'python')

/** Where `chroma` is, once it is installed. */
export const CHROMA = join(PYTHON, 'bin', 'chroma')

/** Loads a package of the peers. Its type is what its documentation promises. */
export const requirePeer = createRequire(join(NODE, 'package.json'))

/** Does nothing if they are installed already. Throws if one cannot be had. */
export function installNodePeers(): void {
  const wanted = JSON.stringify({ private: true, dependencies: VERSIONS })
  const file = join(NODE, 'package.json')
  if (existsSync(join(NODE, 'node_modules')) && readIfThere(file) === wanted) return
  mkdirSync(NODE, { recursive: true })
  writeFileSync(file, wanted)
  run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], NODE)
}

export function installChroma(): void {
  const note = join(PYTHON, 'version')
  if (readIfThere(note) === CHROMA_VERSION) return
  mkdirSync(FOLDER, { recursive: true })
  run('python3', ['-m', 'venv', PYTHON], FOLDER)
  run(join(PYTHON, 'bin', 'pip'), ['install', '--quiet', `chromadb==${CHROMA_VERSION}`], FOLDER)
  writeFileSync(note, CHROMA_VERSION)
}

function run(command: string, args: string[], cwd: string): void {
  execFileSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
}

const readIfThere = (file: string): string | undefined =>
  existsSync(file) ? readFileSync(file, 'utf8') : undefined
