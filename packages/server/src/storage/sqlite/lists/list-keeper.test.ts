// Memories get into lists after a moment, together, and never by holding up a writer or filling the log.
// Timers and the log's room are set; the last case is a whole store in real time.
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { newFolder } from '../../../testing/new-folder.ts'
import { memoryOf, NO_RECEIPT, pieceOf } from '../../conformance/records.ts'
import { subjectOf } from '../../conformance/subject.ts'
import type { LogRoom } from '../log/log-keeper.ts'
import { migrate } from '../migrations/migrate.ts'
import { databaseFile } from '../opening/data-folder.ts'
import { openDatabase } from '../opening/open-database.ts'
import { openIn } from '../testing/store-in-folder.ts'
import { ListKeeper, WAITING_MAX } from './list-keeper.ts'
import { unlistedMemories } from './take-in.ts'

const MOMENT_MS = 1_000

/** A database in which memories wait, and the room that its log has. */
function setUp() {
  const file = join(newFolder(), 'a.db')
  const db = openDatabase(file)
  onTestFinished(() => void db.close())
  // What is said here is not about the disk, which nothing waits for.
  db.pragma('synchronous = off')
  migrate(db)
  db.exec('INSERT INTO spaces VALUES (1, 0)')
  const insert = db.prepare(
    `INSERT INTO memories (space_no, id, content, user_id, tags, created_at, in_lists)
     VALUES (1, ?, '', 'u', '["t"]', 1, 0)`,
  )
  let made = 0
  const state: { room: LogRoom } = { room: 'yes' }
  const log = { room: () => state.room, committed: vi.fn() }
  const open = (): ListKeeper => new ListKeeper(db, log)
  return {
    file,
    db,
    log,
    state,
    open,
    waiting: unlistedMemories(db).count,
    create(memories: number): void {
      for (let left = memories; left > 0; left -= 1) {
        made += 1
        insert.run(`mem_${made}`)
      }
    },
  }
}

beforeEach(() => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
})

test('memories wait a moment for others, and are taken in together', () => {
  const { open, create, waiting, log } = setUp()
  const keeper = open()
  create(1)
  keeper.created(1)
  vi.advanceTimersByTime(MOMENT_MS - 1)
  create(2)
  keeper.created(2)
  expect(waiting()).toBe(3)
  vi.advanceTimersByTime(1)
  expect(waiting()).toBe(0)
  expect(log.committed).toHaveBeenCalledExactlyOnceWith([])
  expect(vi.getTimerCount()).toBe(0)
  keeper.close()
})

test('they wait no longer once there are so many that a list takes long', () => {
  const { open, create, waiting } = setUp()
  const keeper = open()
  create(WAITING_MAX)
  keeper.created(WAITING_MAX - 1)
  expect(waiting()).toBe(WAITING_MAX)
  keeper.created(1)
  expect(waiting()).toBe(0)
  keeper.close()
})

test('those that an earlier start has left are taken in, and those that are gone are not waited for', () => {
  const { db, open, create, waiting } = setUp()
  create(3)
  const keeper = open()
  db.exec("DELETE FROM memories WHERE id = 'mem_2'")
  vi.advanceTimersByTime(MOMENT_MS)
  expect(waiting()).toBe(0)
  vi.advanceTimersByTime(MOMENT_MS)
  expect(vi.getTimerCount()).toBe(0)
  keeper.close()
})

test.each<LogRoom>(['soon', 'none'])(
  'while the log has no room (%s) they go on waiting',
  (room) => {
    const { open, create, waiting, state } = setUp()
    const keeper = open()
    create(1)
    state.room = room
    keeper.created(1)
    vi.advanceTimersByTime(3 * MOMENT_MS)
    expect(waiting()).toBe(1)
    state.room = 'yes'
    vi.advanceTimersByTime(MOMENT_MS)
    expect(waiting()).toBe(0)
    keeper.close()
  },
)

test('while somebody else writes they go on waiting', () => {
  const { file, db, open, create, waiting } = setUp()
  const keeper = open()
  create(1)
  keeper.created(1)
  db.pragma('busy_timeout = 0')
  const other = openDatabase(file)
  other.exec('BEGIN IMMEDIATE')
  vi.advanceTimersByTime(MOMENT_MS)
  expect(waiting()).toBe(1)
  other.exec('COMMIT')
  other.close()
  vi.advanceTimersByTime(MOMENT_MS)
  expect(waiting()).toBe(0)
  keeper.close()
})

test('a mistake in the program is not taken for something that passes', () => {
  const { db, open, create } = setUp()
  const keeper = open()
  create(1)
  keeper.created(1)
  db.exec('DROP INDEX memories_unlisted')
  expect(() => vi.advanceTimersByTime(MOMENT_MS)).toThrow(/no such index/)
})

test('at the end all are taken in, or left to the next start', () => {
  const { open, create, waiting, state } = setUp()
  const keeper = open()
  create(WAITING_MAX + 1)
  state.room = 'none'
  keeper.created(WAITING_MAX + 1)
  keeper.close()
  expect(waiting()).toBe(WAITING_MAX + 1)
  state.room = 'yes'
  open().close()
  expect(waiting()).toBe(0)
  expect(vi.getTimerCount()).toBe(0)
})

test('a store takes its memories in while it is in use, and when it closes', async () => {
  vi.useRealTimers()
  const directory = newFolder()
  const store = await openIn(directory)
  const { memories } = await subjectOf(store).newSpace()
  const insert = (): Promise<void> => {
    const memory = memoryOf({ tags: ['t'] })
    return memories.insert(memory, [pieceOf(memory.content)], NO_RECEIPT)
  }
  const db = openDatabase(databaseFile(directory))
  onTestFinished(() => void db.close())
  const { count: waiting } = unlistedMemories(db)
  await insert()
  await expect.poll(waiting, { timeout: 30_000 }).toBe(0)
  await insert()
  await store.close()
  expect(waiting()).toBe(0)
})
