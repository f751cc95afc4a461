// Remembers beside the database file that no page of it holds what moved cells have left behind,
// except for pages that the log names (checkpoint.ts). So a start looks at these alone, and not at a
// file of gigabytes. Whenever that is not sure, the mark is missing or does not fit, and the start
// looks at every page: after a copy, an older version, or a process that closed the file alone.
// decisions/2026-11-21-log-and-checkpoints.md
import { closeSync, fsyncSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { hasLog } from './write-ahead-log.ts'

const markOf = (databaseFile: string): string => `${databaseFile}-clean`

/** A server has the file: only its log can name pages, so there must be one. */
const SERVING = 'serving'

/** Nobody has the file: it must be as it was. */
function closed(databaseFile: string): string {
  const { size, mtimeNs } = statSync(databaseFile, { bigint: true })
  return `closed ${size} ${mtimeNs}`
}

/** Asked before anybody opens the file. */
export function isMarkedClean(databaseFile: string): boolean {
  try {
    const mark = readFileSync(markOf(databaseFile), 'utf8')
    return mark === SERVING ? hasLog(databaseFile) : mark === closed(databaseFile)
  } catch {
    return false
  }
}

/** When every page was looked at. From now on the log is cut only after its pages were. */
export function markServing(databaseFile: string): void {
  write(databaseFile, SERVING)
}

/** When the last connection of a server has closed. Does nothing when the mark was taken away. */
export function markClosed(databaseFile: string): void {
  try {
    readFileSync(markOf(databaseFile))
  } catch {
    return
  }
  write(databaseFile, closed(databaseFile))
}

/** Before pages are moved that nobody will look at. */
export function removeMark(databaseFile: string): void {
  rmSync(markOf(databaseFile), { force: true })
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
