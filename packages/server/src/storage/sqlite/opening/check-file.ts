// Whether a database file is whole. A small one is looked through before it is used. For a large one
// that would take seconds: before it is used, only what a cut or overwritten file shows at once is
// looked at, and everything else while it is in use (check-rows.ts), in steps that hold up nobody.
// decisions/2026-11-21-start.md
import { statSync } from 'node:fs'
import { findWrongCounts } from '../lists/check-counts.ts'
import { logBytes } from '../log/write-ahead-log.ts'
import { damaged } from './data-folder.ts'
import type { Connection } from './open-database.ts'

/** Looking through so much takes about a tenth of a second. */
const LOOKED_THROUGH_BYTES_MAX = 64 * 1024 * 1024

const sizeOf = (file: string): number => statSync(file).size

/** Whether the rest is to be looked at while the file is in use. */
export const isLarge = (file: string): boolean =>
  sizeOf(file) + logBytes(file) > LOOKED_THROUGH_BYTES_MAX

/** Throws a StoreRefusal, or what SQLite says, when the file is damaged. */
export function checkBeforeUse(db: Connection, file: string): void {
  if (isLarge(file)) {
    expectAllPages(db, file)
    return
  }
  const findings = db.prepare<[], string>('PRAGMA quick_check(1)').pluck().all()
  const orphans = db.prepare('PRAGMA foreign_key_check').all()
  if (findings[0] !== 'ok' || orphans.length > 0) throw damaged(file, findings[0])
}

/** After migrations, which count for the first time. What is derived from rows is made anew. */
export function checkCounts(db: Connection): void {
  for (const wrong of findWrongCounts(db)) wrong?.mend()
}

/** While pages are only in the log, the file may be shorter than the database. */
function expectAllPages(db: Connection, file: string): void {
  const numberOf = (pragma: string): number =>
    db.prepare<[], number>(`PRAGMA ${pragma}`).pluck().get() ?? 0
  if (logBytes(file) > 0) return
  if (numberOf('page_count') * numberOf('page_size') <= sizeOf(file)) return
  throw damaged(file, 'The file is shorter than it says.')
}
