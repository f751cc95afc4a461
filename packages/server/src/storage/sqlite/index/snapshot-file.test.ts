import { readdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '../testing/store-in-folder.ts'
import { SnapshotReader } from './snapshot-file.ts'

const DESCRIPTORS = '/proc/self/fd'

/** Those of this process, where the system tells. */
function openFiles(): string[] {
  return readdirSync(DESCRIPTORS).flatMap((descriptor) => {
    try {
      return readlinkSync(join(DESCRIPTORS, descriptor))
    } catch {
      // That with which the folder was read.
      return []
    }
  })
}

test.runIf(process.platform === 'linux').each([
  ['is empty', Buffer.alloc(0)],
  ['is something else', Buffer.alloc(1_024, 7)],
])('a file that %s is not left open', (_, content) => {
  const file = join(newFolder(), 'copy')
  writeFileSync(file, content)
  expect(() => new SnapshotReader(file)).toThrow('not a whole snapshot')
  expect(openFiles()).not.toContain(file)
})
