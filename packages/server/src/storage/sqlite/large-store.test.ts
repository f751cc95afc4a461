// A store too large to be looked through before it is used: what shows at once is refused as with
// any other, and what only a look at every row shows ends the process soon after the start.
import { closeSync, openSync, statSync, truncateSync, writeSync } from 'node:fs'
import { expect, test } from 'vitest'
import { newFolder } from '../../testing/new-folder.ts'
import { migrate } from './migrations/migrate.ts'
import { isLarge } from './opening/check-file.ts'
import { databaseFile } from './opening/data-folder.ts'
import { openDatabase } from './opening/open-database.ts'
import { changeBehindIndex } from './testing/change-behind-index.ts'
import { openIn } from './testing/store-in-folder.ts'

const PAGE_BYTES = 8_192
const MEMORIES = 8_500

function largeStore(): { directory: string; file: string } {
  const directory = newFolder()
  const file = databaseFile(directory)
  const db = openDatabase(file)
  migrate(db)
  db.exec(`INSERT INTO spaces VALUES (1, 0);
    WITH RECURSIVE numbers (no) AS (SELECT 1 UNION ALL SELECT no + 1 FROM numbers LIMIT ${MEMORIES})
    INSERT INTO memories
      SELECT no, 1, 'mem_' || no, hex(zeroblob(4000)), 'u', NULL, '[]', NULL, no, 1 FROM numbers;
    INSERT INTO counts VALUES (1, 'memories', '', ${MEMORIES}), (1, 'memories of user', 'u', 7)`)
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
  expect(isLarge(file)).toBe(true)
  return { directory, file }
}

const died = async (directory: string): Promise<unknown> => {
  const { promise, resolve } = Promise.withResolvers<unknown>()
  const store = await openIn(directory, { onDeath: resolve })
  const error = await promise
  await store.close().catch(() => undefined)
  return error
}

test('damage in the midst of a large store ends the process', async () => {
  const { directory, file } = largeStore()
  const descriptor = openSync(file, 'r+')
  const middle = Math.floor(statSync(file).size / 2 / PAGE_BYTES) * PAGE_BYTES
  writeSync(descriptor, Buffer.alloc(40 * PAGE_BYTES, 0xa5), 0, 40 * PAGE_BYTES, middle)
  closeSync(descriptor)
  expect(String(await died(directory))).toMatch(/damaged|malformed/)
})

test.each([
  ['memories_by_user', "UPDATE memories SET user_id = 'v' WHERE no = 4000"],
  ['memories_by_agent', "UPDATE memories SET agent_id = 'v' WHERE no = 4000"],
  ['memories_by_time', 'UPDATE memories SET created_at = 7 WHERE no = 4000'],
  ['memories_unlisted', 'UPDATE memories SET in_lists = 0 WHERE no = 4000'],
])('a row that the index %s has lost ends the process', async (name, change) => {
  const { directory, file } = largeStore()
  changeBehindIndex(file, name, change)
  expect(String(await died(directory))).toMatch(/damaged/)
})

test('a memory that the list of one of its tags has lost ends the process', async () => {
  const { directory, file } = largeStore()
  const db = openDatabase(file)
  db.exec(`UPDATE memories SET tags = '["t"]' WHERE no = 4000`)
  db.close()
  expect(String(await died(directory))).toMatch(/damaged/)
})

test('a large store that was cut is refused at once', async () => {
  const { directory, file } = largeStore()
  truncateSync(file, statSync(file).size - 100 * PAGE_BYTES)
  await expect(openIn(directory)).rejects.toThrow(/is damaged and was not opened/)
})

test('counts of a large store that do not fit its rows are made anew while it is in use', async () => {
  const { directory, file } = largeStore()
  await openIn(directory)
  const db = openDatabase(file)
  const count = db.prepare("SELECT count FROM counts WHERE kind = 'memories of user'").pluck()
  await expect.poll(() => count.get(), { timeout: 30_000 }).toBe(MEMORIES)
  db.close()
})
