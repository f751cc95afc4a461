// Brings the files of a folder into the page cache, by reading them. A store that was filled a moment ago is
// there, one of an earlier run often is not: the first to read a row would wait for the disk, and whoever
// comes after it, such as the search that it is compared with, would not.
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
