// The large part of a checkpoint, in a thread beside the writer: it moves the log into the database file and
// overwrites what the moved pages still hold of moved cells, while the writer appends to the log. Little is
// left for the writer's last step (checkpoint.ts). Meanwhile a second connection, the guard, reads at the end
// of the log: so nobody, this thread included, moves more of it or lets it begin anew before the pages are
// overwritten.
// decisions/2026-11-21-log-and-checkpoints.md (order, and what a crash leaves)
import type { Connection } from '../opening/open-database.ts'
import type { CheckpointRow, DatabaseFile } from './checkpoint.ts'
import { removeMark } from './clean-mark.ts'
import { overwriteFreeBytes } from './free-bytes.ts'
import { LOG_START, type LogPlace, pagesInLog } from './write-ahead-log.ts'

/** Returns up to where the log is in the file, with the free bytes of its pages overwritten. */
export function logCopier(
  { db, guard }: { db: Connection; guard: Connection },
  { path, descriptor }: Pick<DatabaseFile, 'path' | 'descriptor'>,
): () => LogPlace {
  const pageBytes = db.prepare<[], number>('PRAGMA page_size').pluck().get() ?? 0
  const checkpoint = db.prepare<[], CheckpointRow>('PRAGMA wal_checkpoint(PASSIVE)')
  const look = guard.prepare('SELECT 1 FROM sqlite_schema LIMIT 1')
  let done: LogPlace = LOG_START
  return () => {
    const { salts } = pagesInLog(path, { after: LOG_START, framesMax: 0 }).end
    guard.exec('BEGIN')
    try {
      look.get()
      const [row] = checkpoint.all()
      const framesMax = row?.busy === 0 ? row.checkpointed : 0
      const end = overwrite(framesMax)
      // A log that has just begun anew had nothing left to move, so nothing was: no place is known.
      done = end.salts === salts ? end : LOG_START
      return done
    } finally {
      guard.exec('ROLLBACK')
    }
  }

  function overwrite(framesMax: number): LogPlace {
    try {
      const { pages, end } = pagesInLog(path, { after: done, framesMax })
      overwriteFreeBytes(descriptor, pageBytes, new Set(pages))
      return end
    } catch (error) {
      // While nobody can let the log begin anew, which names the pages.
      removeMark(path)
      throw error
    }
  }
}
