// What the store has to know of SQLite's write-ahead log: how much of it is in use, and which pages it
// holds. The log is written in rounds, each with salts of its own and from the beginning of the same
// file: behind the frames of a round those of an earlier one may still lie.
// SQLite puts no locks on this file, so it may be opened and closed at will, unlike the database.
// Layout: https://www.sqlite.org/fileformat2.html#the_write_ahead_log
import { closeSync, existsSync, fstatSync, openSync, readSync, statSync } from 'node:fs'

const LOG_HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
const PAGE_BYTES_AT = 8
/** In the header of the log, and in that of a frame. */
const SALTS_AT = 16
const SALTS_AT_IN_FRAME = 8
const SALTS_BYTES = 8

/** The log is made short when it is longer. */
export const LOG_BYTES_SHORT = 8 * 1024 * 1024
/** A file so long is written over again: to lengthen it takes as long as to write into it. */
export const LOG_BYTES_KEPT = 32 * 1024 * 1024
/**
 * Whoever reads, the log is no longer, but for one commit that is larger by itself: an entity goes with all its
 * relations.
 * decisions/2026-11-21-log-and-checkpoints.md
 */
export const LOG_BYTES_MAX = 64 * 1024 * 1024

/** A place in the log: so many frames of the round that these salts tell from others. */
export type LogPlace = { salts: string; frames: number }

export const LOG_START: LogPlace = { salts: '', frames: 0 }

type Log = { descriptor: number; salts: Buffer; frameBytes: number; framesInFile: number }

const logOf = (databaseFile: string): string => `${databaseFile}-wal`

/** Tells the file from any other that came to lie in its place. Throws when there is none. */
export function logIdentity(databaseFile: string): string {
  const { ino, birthtimeNs } = statSync(logOf(databaseFile), { bigint: true })
  return `${ino} ${birthtimeNs}`
}

/** Of the round that is written, or was written last. */
export function logBytes(databaseFile: string): number {
  return inLog(databaseFile, (log) => bytesOf(log, framesOf(log, 0))) ?? 0
}

/**
 * The end of the round that is written, or was written last, and how long the log is up to there. Throws when
 * there is no log: what is open has one, unless somebody has taken its files away.
 */
export function logEnd(
  databaseFile: string,
  { known }: { known: LogPlace },
): { end: LogPlace; bytes: number } {
  const found = inOpenLog(databaseFile, (log) => {
    const end = endOf(log, known)
    return { end, bytes: bytesOf(log, end.frames) }
  })
  return found ?? { end: LOG_START, bytes: 0 }
}

/**
 * The pages in the log behind a place, and the place at the end of its round. All of the log when it has
 * begun anew since: without `framesMax` those of earlier rounds, too, whose frames still lie in the file.
 */
export function pagesInLog(
  databaseFile: string,
  { after, framesMax }: { after: LogPlace; framesMax?: number },
): { pages: number[]; end: LogPlace } {
  const found = inLog(databaseFile, (log) => {
    const end = endOf(log, after)
    if (framesMax !== undefined) end.frames = Math.min(end.frames, framesMax)
    const isSameRound = end.salts === after.salts
    const isWhole = !isSameRound && framesMax === undefined
    const pages: number[] = []
    const last = isWhole ? log.framesInFile : end.frames
    for (let frame = isSameRound ? after.frames : 0; frame < last; frame += 1) {
      const page = readAt(log, bytesOf(log, frame), 4).readUInt32BE()
      // A power cut can leave zeros where frames of a commit were that never came.
      if (page > 0) pages.push(page)
    }
    return { pages, end }
  })
  return found ?? { pages: [], end: LOG_START }
}

/** Undefined when there is no log, or an empty one. */
const inLog = <Result>(databaseFile: string, look: (log: Log) => Result): Result | undefined =>
  existsSync(logOf(databaseFile)) ? inOpenLog(databaseFile, look) : undefined

/** Undefined when it is empty. */
function inOpenLog<Result>(databaseFile: string, look: (log: Log) => Result): Result | undefined {
  const descriptor = openSync(logOf(databaseFile), 'r')
  try {
    const { size } = fstatSync(descriptor)
    if (size < LOG_HEADER_BYTES) return undefined
    const header = Buffer.alloc(LOG_HEADER_BYTES)
    readSync(descriptor, header, 0, LOG_HEADER_BYTES, 0)
    const frameBytes = FRAME_HEADER_BYTES + header.readUInt32BE(PAGE_BYTES_AT)
    const salts = header.subarray(SALTS_AT, SALTS_AT + SALTS_BYTES)
    const framesInFile = Math.floor((size - LOG_HEADER_BYTES) / frameBytes)
    return look({ descriptor, salts, frameBytes, framesInFile })
  } finally {
    closeSync(descriptor)
  }
}

function endOf(log: Log, known: LogPlace): LogPlace {
  const salts = log.salts.toString('hex')
  return { salts, frames: framesOf(log, known.salts === salts ? known.frames : 0) }
}

/** The frames of the round: doubles its steps until it is beyond them, then halves what is left. */
function framesOf(log: Log, known: number): number {
  const isOfRound = (frame: number): boolean =>
    frame < log.framesInFile &&
    readAt(log, bytesOf(log, frame) + SALTS_AT_IN_FRAME, SALTS_BYTES).equals(log.salts)
  let step = 1
  while (isOfRound(known + step - 1)) step *= 2
  let [frames, beyond] = [known + Math.floor(step / 2), known + step]
  while (beyond - frames > 1) {
    const middle = Math.floor((frames + beyond) / 2)
    if (isOfRound(middle - 1)) frames = middle
    else beyond = middle
  }
  return frames
}

const bytesOf = ({ frameBytes }: Log, frames: number): number =>
  LOG_HEADER_BYTES + frames * frameBytes

function readAt({ descriptor }: Log, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  readSync(descriptor, bytes, 0, length, position)
  return bytes
}
