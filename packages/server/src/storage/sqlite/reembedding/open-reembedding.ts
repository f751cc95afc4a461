// A store as re-embedding needs it: from a process of its own, beside a server on the same folder or
// without one. It leaves the log to a running server, whose checkpoints know which deleted texts
// have to leave the files; without a server it moves the log itself, so that the log stays small.
import { setTimeout as sleep } from 'node:timers/promises'
import type { ReembeddingStore } from '../../generation.ts'
import { removeMark } from '../log/clean-mark.ts'
import { LOG_BYTES_MAX, LOG_BYTES_SHORT, logBytes } from '../log/write-ahead-log.ts'
import { existingFile } from '../opening/data-folder.ts'
import { lockForMoment, lockReembedding } from '../opening/directory-lock.ts'
import type { Connection } from '../opening/open-database.ts'
import { openAsGuest } from '../opening/open-migrated.ts'
import { reembedding } from './reembedding.ts'

/** A running server should have emptied the log long before. */
const LOG_BYTES_ALARMING = LOG_BYTES_MAX / 2
const LOG_WAIT_MS = 200
const LOG_WAITS_MAX = 50

/**
 * `onlyLook` is for state and progress, also while another process re-embeds. Throws a StoreRefusal
 * that says what to do when the folder has no store or another process re-embeds it.
 */
export function openSqliteReembedding(
  directory: string,
  { onlyLook = false } = {},
): ReembeddingStore {
  const file = existingFile(directory)
  const unlock = onlyLook ? () => undefined : lockReembedding(directory)
  try {
    const db = openAsGuest(directory)
    return {
      ...reembedding(db, () => keepLogSmall(db, { file, directory })),
      async close() {
        db.close()
        unlock()
      },
    }
  } catch (error) {
    unlock()
    throw error
  }
}

async function keepLogSmall(
  db: Connection,
  { file, directory }: { file: string; directory: string },
): Promise<void> {
  for (let waits = 0; waits < LOG_WAITS_MAX; waits += 1) {
    const bytes = logBytes(file)
    if (bytes <= LOG_BYTES_SHORT) return
    const unlock = lockForMoment(directory)
    if (unlock !== undefined) {
      try {
        // The next server looks through every page for what moved cells have left behind.
        removeMark(file)
        db.pragma('wal_checkpoint(TRUNCATE)')
      } finally {
        unlock()
      }
      return
    }
    if (bytes <= LOG_BYTES_ALARMING) return
    await sleep(LOG_WAIT_MS)
  }
}
