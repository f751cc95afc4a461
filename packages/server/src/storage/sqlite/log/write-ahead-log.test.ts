// Compares what is read from the bytes of the log with what SQLite itself says of it.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newFolder } from '../../../testing/new-folder.ts'
import { openDatabase } from '../opening/open-database.ts'
import { LOG_START, logBytes, logEnd, pagesInLog } from './write-ahead-log.ts'

const FRAME_BYTES = 24 + 8_192
const BYTES_A_ROW = 5_000

/** A database of rows that take most of a page each. */
function newLog() {
  const file = join(newFolder(), 'a.db')
  const db = openDatabase(file)
  db.exec('CREATE TABLE rows (no INTEGER PRIMARY KEY, bytes BLOB)')
  const insert = db.prepare('INSERT INTO rows (bytes) VALUES (zeroblob(?))')
  return {
    file,
    write: db.transaction((rows: number) => {
      for (let row = 0; row < rows; row += 1) insert.run(BYTES_A_ROW)
    }),
    /** All of it is in the file then, and the next commit begins anew. */
    finishRound: () => db.pragma('wal_checkpoint(RESTART)'),
    /** As SQLite counts them. */
    frames(): number {
      const [row] = db.prepare<[], { log: number }>('PRAGMA wal_checkpoint(PASSIVE)').all()
      return row?.log ?? 0
    },
    framesInFile: () => Math.floor((statSync(`${file}-wal`).size - 32) / FRAME_BYTES),
    close: () => db.close(),
  }
}

test('the end of a round is found whatever lies behind it, from its beginning and from any place before', () => {
  const rounds = fc.array(
    fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 6 }),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  fc.assert(
    fc.property(rounds, (sizes) => {
      const log = newLog()
      let known = LOG_START
      for (const commits of sizes) {
        for (const rows of commits) {
          log.write(rows)
          const frames = log.frames()
          const { end, bytes } = logEnd(log.file, { known })
          expect(end.frames).toBe(frames)
          expect(bytes).toBe(32 + frames * FRAME_BYTES)
          expect(logBytes(log.file)).toBe(bytes)
          const { pages } = pagesInLog(log.file, { after: known })
          const isSameRound = known.salts === end.salts
          expect(pages).toHaveLength(isSameRound ? frames - known.frames : log.framesInFile())
          if (rows % 3 > 0) known = end
        }
        log.finishRound()
      }
      log.close()
    }),
    { numRuns: 15 },
  )
})

test('of a log that began anew no more is taken than what SQLite has moved, if that is asked for', () => {
  const log = newLog()
  log.write(50)
  const { end } = logEnd(log.file, { known: LOG_START })
  log.finishRound()
  log.write(3)
  const frames = log.frames()
  expect(log.framesInFile()).toBeGreaterThan(frames)
  expect(pagesInLog(log.file, { after: end, framesMax: frames }).pages).toHaveLength(frames)
  expect(pagesInLog(log.file, { after: end, framesMax: 1 })).toMatchObject({ end: { frames: 1 } })
  log.close()
})

test('where there is no log nothing is in it', () => {
  const file = join(newFolder(), 'none.db')
  expect(logBytes(file)).toBe(0)
  expect(pagesInLog(file, { after: LOG_START })).toEqual({ pages: [], end: LOG_START })
  // But what is open has one.
  expect(() => logEnd(file, { known: LOG_START })).toThrow('ENOENT')
})
