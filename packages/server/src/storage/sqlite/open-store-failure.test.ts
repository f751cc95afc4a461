// A start that fails midway leaves nothing open, so that the folder can be opened again by the same process.
import { expect, test, vi } from 'vitest'
import { newFolder } from '../../testing/new-folder.ts'
import { startSqliteStore } from './open-store.ts'
import { openFiles, TELLS_OPEN_FILES } from './testing/open-files.ts'

vi.mock(import('./threads/threads.ts'), async (original) => ({
  ...(await original()),
  startThreads: () => {
    throw new Error('There are too many threads.')
  },
}))

test.skipIf(!TELLS_OPEN_FILES)(
  'a store whose threads cannot start leaves no file open and the folder free',
  () => {
    const directory = newFolder()
    const start = () => startSqliteStore({ directory, onDeath: () => undefined })
    for (const _ of [1, 2]) {
      expect(start).toThrow('There are too many threads.')
      expect(openFiles().filter((path) => path.startsWith(directory))).toEqual([])
    }
  },
)
