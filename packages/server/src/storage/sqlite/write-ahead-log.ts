// What the store has to know of SQLite's write-ahead log: how long it is, and which pages it holds.
// SQLite puts no locks on this file, so it may be opened and closed at will, unlike the database.
// Layout: https://www.sqlite.org/fileformat2.html#the_write_ahead_log
import { closeSync, openSync, readSync, statSync } from 'node:fs'

const LOG_HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24

const logOf = (databaseFile: string): string => `${databaseFile}-wal`

export const logBytes = (databaseFile: string): number =>
  statSync(logOf(databaseFile), { throwIfNoEntry: false })?.size ?? 0

/** The pages in the log, those of earlier rounds included whose frames still lie in the file. */
export function pagesInLog(databaseFile: string, pageBytes: number): Set<number> {
  const pages = new Set<number>()
  const end = logBytes(databaseFile)
  if (end === 0) return pages
  const descriptor = openSync(logOf(databaseFile), 'r')
  try {
    const pageNumber = Buffer.alloc(4)
    const frameBytes = FRAME_HEADER_BYTES + pageBytes
    for (let frame = LOG_HEADER_BYTES; frame + frameBytes <= end; frame += frameBytes) {
      readSync(descriptor, pageNumber, 0, 4, frame)
      pages.add(pageNumber.readUInt32BE())
    }
  } finally {
    closeSync(descriptor)
  }
  return pages
}
