// What the store has to know of SQLite's write-ahead log: how long it is, and which pages it holds.
// SQLite puts no locks on this file, so it may be opened and closed at will, unlike the database.
// Layout: https://www.sqlite.org/fileformat2.html#the_write_ahead_log
import { closeSync, existsSync, fstatSync, openSync, readSync, statSync } from 'node:fs'

const LOG_HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
/** Where the salts lie in the log's header. */
const SALTS_AT = 16
const SALTS_BYTES = 8

/** What the store has in mind: from here on the log is made short. */
export const LOG_BYTES_SHORT = 8 * 1024 * 1024
/** The log never grows beyond, whoever reads. decisions/2026-11-21-log-and-checkpoints.md */
export const LOG_BYTES_MAX = 64 * 1024 * 1024

const logOf = (databaseFile: string): string => `${databaseFile}-wal`

export const hasLog = (databaseFile: string): boolean => existsSync(logOf(databaseFile))

export const logBytes = (databaseFile: string): number =>
  statSync(logOf(databaseFile), { throwIfNoEntry: false })?.size ?? 0

/** A place in the log: so many frames of the round that these salts tell from others. */
export type LogPlace = { salts: string; frames: number }

export const LOG_START: LogPlace = { salts: '', frames: 0 }

/**
 * The pages in the log behind a place, and the place at its end. All of the log when it has begun
 * anew since, those of earlier rounds included whose frames still lie in the file.
 */
export function pagesInLog(
  databaseFile: string,
  pageBytes: number,
  { after, framesMax = Infinity }: { after: LogPlace; framesMax?: number },
): { pages: number[]; end: LogPlace } {
  const pages: number[] = []
  if (logBytes(databaseFile) < LOG_HEADER_BYTES) return { pages, end: LOG_START }
  const descriptor = openSync(logOf(databaseFile), 'r')
  try {
    const salts = Buffer.alloc(SALTS_BYTES)
    readSync(descriptor, salts, 0, SALTS_BYTES, SALTS_AT)
    const frameBytes = FRAME_HEADER_BYTES + pageBytes
    const place = { salts: salts.toString('hex'), frames: 0 }
    if (place.salts === after.salts) place.frames = after.frames
    const inFile = Math.floor((fstatSync(descriptor).size - LOG_HEADER_BYTES) / frameBytes)
    const number = Buffer.alloc(4)
    for (; place.frames < Math.min(inFile, framesMax); place.frames += 1) {
      readSync(descriptor, number, 0, 4, LOG_HEADER_BYTES + place.frames * frameBytes)
      pages.push(number.readUInt32BE())
    }
    return { pages, end: place }
  } finally {
    closeSync(descriptor)
  }
}
