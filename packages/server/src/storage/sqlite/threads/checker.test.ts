// The thread that looks through a large store, beside somebody who keeps it from setting a count right.
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { newFolder } from '../../../testing/new-folder.ts'
import { migrate } from '../migrations/migrate.ts'
import { createDirectory, databaseFile } from '../opening/data-folder.ts'
import { BUSY_TIMEOUT_MS, openDatabase } from '../opening/open-database.ts'
import { countsAreRight } from '../testing/counts-are-right.ts'

test('a wrong count waits for whoever has the lock for long, and ends nothing', async () => {
  const directory = newFolder()
  createDirectory(directory)
  const file = databaseFile(directory)
  const db = openDatabase(file)
  onTestFinished(() => void db.close())
  migrate(db)
  db.exec(`INSERT INTO spaces (created_at) VALUES (1);
    INSERT INTO counts (space_no, kind, value, count) VALUES (1, 'memories', '', 5);
    BEGIN IMMEDIATE`)
  const checker = new Worker(new URL('./checker.worker.ts', import.meta.url), {
    workerData: { file },
  })
  const ended = once(checker, 'exit')
  await Promise.race([ended, sleep(BUSY_TIMEOUT_MS + 500)])
  db.exec('COMMIT')
  expect(await ended).toEqual([0])
  expect(countsAreRight(db)).toBe(true)
})
