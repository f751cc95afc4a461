// A file beside the database which says that no page holds what moved cells have left behind, except for pages
// that the log names (checkpoint.ts). A start then looks at these alone, and not at a file of gigabytes. It
// looks at every page when the mark is missing or does not fit: after a copy, an older version, or another
// process that was the last to close the database.
// decisions/2026-11-21-log-and-checkpoints.md (order, and what a crash leaves)
import { closeSync, fsyncSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { logIdentity } from './write-ahead-log.ts'

const markOf = (databaseFile: string): string => `${databaseFile}-clean`

/**
 * A server has the file: its log can name pages. Whoever closes the file alone moves the log unseen and
 * removes it, so it must be the same one, and not one that somebody has begun since.
 */
const serving = (databaseFile: string): string => `serving ${logIdentity(databaseFile)}`

/** Nobody has the file: it must be as it was. */
function closed(databaseFile: string): string {
  const { size, mtimeNs } = statSync(databaseFile, { bigint: true })
  return `closed ${size} ${mtimeNs}`
}

/** Asked by whoever has opened the file, so that nobody else can be the last to close it meanwhile. */
export function isMarkedClean(databaseFile: string): boolean {
  try {
    const mark = readFileSync(markOf(databaseFile), 'utf8')
    return mark === closed(databaseFile) || mark === serving(databaseFile)
  } catch {
    return false
  }
}

/** When every page was looked at. From now on the log is cut only after its pages were. */
export function markServing(databaseFile: string): void {
  write(databaseFile, serving(databaseFile))
}

/**
 * Before the last connection of a server closes: what a guest has committed is moved only afterwards,
 * and then the mark does not fit. Does nothing when the mark was taken away.
 */
export function markClosed(databaseFile: string): void {
  try {
    readFileSync(markOf(databaseFile))
  } catch {
    return
  }
  write(databaseFile, closed(databaseFile))
}

/** Before pages are moved that nobody will look at. Whoever cannot remove it must not go on. */
export function removeMark(databaseFile: string): void {
  try {
    rmSync(markOf(databaseFile), { force: true })
  } catch (cause) {
    throw new Error(`${markOf(databaseFile)} cannot be removed.`, { cause })
  }
}

function write(databaseFile: string, mark: string): void {
  const descriptor = openSync(markOf(databaseFile), 'w', 0o600)
  try {
    writeSync(descriptor, mark)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
