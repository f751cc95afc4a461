// What becomes of a lock that somebody else holds: another process, since one that holds a lock on a file
// closes no other handle of it before.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { newFolder } from '../../../testing/new-folder.ts'
import { StoreRefusal } from '../../store.ts'
import { openFiles, TELLS_OPEN_FILES } from '../testing/open-files.ts'
import { lockForMoment, lockToMigrate } from './directory-lock.ts'

const holdLock = fileURLToPath(new URL('../testing/hold-lock.ts', import.meta.url))

async function heldFolder(): Promise<string> {
  const directory = newFolder()
  const holder = fork(holdLock, [directory])
  onTestFinished(() => void holder.kill('SIGKILL'))
  await once(holder, 'message')
  return directory
}

test('beside a server that migrates by itself, whoever waited to do it goes on without', async () => {
  const directory = await heldFolder()
  expect(() => lockToMigrate(directory, () => true)).toThrow(StoreRefusal)
  lockToMigrate(directory, () => false)()
  expect(lockForMoment(directory)).toBeUndefined()
})

test.skipIf(!TELLS_OPEN_FILES)(
  'whoever asks in vain again and again keeps no file open',
  async () => {
    const directory = await heldFolder()
    for (let times = 0; times < 3; times += 1) expect(lockForMoment(directory)).toBeUndefined()
    expect(openFiles().filter((path) => path.startsWith(directory))).toEqual([])
  },
)
