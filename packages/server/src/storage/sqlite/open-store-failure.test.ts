// A start that fails midway leaves nothing open, so that the folder can be opened again by the same process.
import { readdirSync, readlinkSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { startSqliteStore } from './open-store.ts'
import { newFolder } from './testing/store-in-folder.ts'

vi.mock(import('./threads/threads.ts'), async (original) => ({
  ...(await original()),
  startThreads: () => {
    throw new Error('There are too many threads.')
  },
}))

const OPEN_FILES = '/proc/self/fd'

function openIn(directory: string): string[] {
  const targets = readdirSync(OPEN_FILES).map((descriptor) => {
    try {
      return readlinkSync(`${OPEN_FILES}/${descriptor}`)
    } catch {
      // That of the folder that was just read.
      return ''
    }
  })
  return targets.filter((target) => target.startsWith(directory))
}

test.skipIf(process.platform !== 'linux')(
  'a store whose threads cannot start leaves no file open and the folder free',
  () => {
    const directory = newFolder()
    const start = () => startSqliteStore({ directory, onDeath: () => undefined })
    for (const _ of [1, 2]) {
      expect(start).toThrow('There are too many threads.')
      expect(openIn(directory)).toEqual([])
    }
  },
)
