import { readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

const DESCRIPTORS = '/proc/self/fd'

/** Whether the system tells what a process has open. */
export const TELLS_OPEN_FILES = process.platform === 'linux'

/** What this process has open; what was removed since says so behind its path. */
export function openFiles(): string[] {
  return readdirSync(DESCRIPTORS).flatMap((descriptor) => {
    try {
      return readlinkSync(join(DESCRIPTORS, descriptor))
    } catch {
      // That with which the folder was read.
      return []
    }
  })
}
