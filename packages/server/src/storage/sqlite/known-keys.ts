// Keys by their hash, as the file has them at the moment of the question: each is looked up once after every
// commit, whoever made it, and known until the next. While memories are written, one lookup serves all the
// requests between two commits; each would find the pages of the database changed.
// decisions/2026-11-25-known-keys.md
import type { KeyRecord } from '../records.ts'
import type { CommitWatch } from './log/commit-watch.ts'

/** More keys than ask between two commits. */
const KNOWN_MAX = 10_000

export function knownKeys(
  read: (hash: Buffer) => KeyRecord | undefined,
  watch: Pick<CommitWatch, 'hasCommitted'>,
): (hash: Buffer) => KeyRecord | undefined {
  let known = new Map<string, KeyRecord>()
  return (hash) => {
    // Looked at first: what is read after it is no older.
    if (watch.hasCommitted() || known.size === KNOWN_MAX) known = new Map()
    const name = hash.toString('latin1')
    const before = known.get(name)
    if (before !== undefined) return before
    const key = read(hash)
    // Strangers can ask for any number of keys that do not exist.
    if (key !== undefined) known.set(name, key)
    return key
  }
}
