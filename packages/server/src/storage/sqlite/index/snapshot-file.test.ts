import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openFiles, TELLS_OPEN_FILES } from '../testing/open-files.ts'
import { newFolder } from '../testing/store-in-folder.ts'
import { SnapshotReader } from './snapshot-file.ts'

test.runIf(TELLS_OPEN_FILES).each([
  ['is empty', Buffer.alloc(0)],
  ['is something else', Buffer.alloc(1_024, 7)],
])('a file that %s is not left open', (_, content) => {
  const file = join(newFolder(), 'copy')
  writeFileSync(file, content)
  expect(() => new SnapshotReader(file)).toThrow('not a whole snapshot')
  expect(openFiles()).not.toContain(file)
})
