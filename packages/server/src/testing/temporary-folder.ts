// Where a run of the tests keeps its data: in memory, where there is room. Waiting for a disk and looking for
// files are a tenth of a run, and no test asks whether a disk keeps what was flushed: a power cut is an image
// of what had been flushed by then, and a `kill -9` loses nothing that the system has.
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'

const IN_MEMORY = '/dev/shm'
const PREFIX = 'mnemograph-tests-'
/** Some times what the stores, the databases and the browsers of a run take at once. */
const ROOM_BYTES = 2 * 1024 ** 3
/** A run makes folders all the time, and ends long before. */
const ABANDONED_AFTER_MS = 3_600_000

/**
 * Gives this process and all that it starts a temporary folder that goes away with it, unless there is no room
 * or TMPDIR names one.
 */
export function keepTemporaryFilesInMemory(): void {
  if (process.env['TMPDIR'] !== undefined || freeBytesIn(IN_MEMORY) < ROOM_BYTES) return
  removeAbandoned()
  const folder = mkdtempSync(join(IN_MEMORY, PREFIX))
  // The PostgreSQL of the tests may run as somebody else.
  chmodSync(folder, 0o755)
  process.env['TMPDIR'] = folder
  process.once('exit', () => remove(folder))
}

/** What is left by runs that were killed, of this user. */
function removeAbandoned(): void {
  for (const name of readdirSync(IN_MEMORY).filter((each) => each.startsWith(PREFIX))) {
    const path = join(IN_MEMORY, name)
    const { uid, mtimeMs } = statSync(path)
    if (uid === process.getuid?.() && Date.now() - mtimeMs > ABANDONED_AFTER_MS) remove(path)
  }
}

/** Processes of a run that is interrupted may write for a moment more. */
const remove = (folder: string): void =>
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })

function freeBytesIn(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    // There is none on this machine.
    return 0
  }
}
