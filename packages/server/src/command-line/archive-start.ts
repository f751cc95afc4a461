// How an archive begins. It tells a whole store from memories before either is taken for the other: an archive
// that is sent as memories would bring the texts of all spaces into that of one key.
import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { ARCHIVE_START } from '../core/archive/format.ts'

const START = Buffer.from(ARCHIVE_START)

export const beginsAsArchive = (bytes: Buffer): boolean =>
  bytes.subarray(0, START.length).equals(START)

/** Undefined for what can be read only once. Throws when it cannot be read. */
export function isArchive(file: string): boolean | undefined {
  if (!statSync(file).isFile()) return undefined
  const descriptor = openSync(file, 'r')
  try {
    const bytes = Buffer.alloc(START.length)
    readSync(descriptor, bytes)
    return beginsAsArchive(bytes)
  } finally {
    closeSync(descriptor)
  }
}
