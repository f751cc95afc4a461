// Reads the files of a folder, to bring them into the page cache. A store filled just now is there already,
// one of an earlier run often is not: then the first contender would wait for the disk, and the one that it
// is compared with would not.
import { closeSync, openSync, readdirSync, readSync } from 'node:fs'
import { join } from 'node:path'

const BYTES_AT_ONCE = 8 * 1024 * 1024

export function readIntoPageCache(directory: string): void {
  const bytes = Buffer.allocUnsafe(BYTES_AT_ONCE)
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = openSync(join(directory, entry.name), 'r')
    while (readSync(file, bytes) > 0);
    closeSync(file)
  }
}
