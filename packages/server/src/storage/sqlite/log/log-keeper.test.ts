// The write-ahead log under readers that stay: it never grows beyond its bound, what cannot be
// written any more is refused in words that a caller understands, and nothing that was acknowledged
// is lost.
import { once } from 'node:events'
import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmdirSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { newFolder } from '../../../testing/new-folder.ts'
import { memoryOf, NO_RECEIPT, pieceOf } from '../../conformance/records.ts'
import { subjectOf } from '../../conformance/subject.ts'
import { databaseFile } from '../opening/data-folder.ts'
import { openDatabase } from '../opening/open-database.ts'
import { openIn } from '../testing/store-in-folder.ts'
import type { Copied } from '../threads/copier.worker.ts'
import type { Reply } from '../threads/worker-calls.ts'
import { isMarkedClean } from './clean-mark.ts'
import { LogKeeper } from './log-keeper.ts'
import { LOG_BYTES_KEPT, LOG_BYTES_MAX, LOG_BYTES_SHORT, LOG_START } from './write-ahead-log.ts'

const IN_FLIGHT = 64
const PAGE_BYTES = 8_192
const PATIENT = { timeout: 20_000 }
/** What one commit may add. */
const COMMIT_BYTES_MAX = 16 * 1024 * 1024
const LARGE = 'large '.repeat(1_600)
const WHILE_MS = 120_000

/** Whatever of it is in use. */
const fileBytes = (file: string): number => statSync(`${file}-wal`).size

test('a reader that stays: the log keeps its bound, writes are refused, and go on when it leaves', {
  timeout: WHILE_MS,
}, async () => {
  const directory = newFolder()
  const file = databaseFile(directory)
  const store = await openIn(directory)
  const { memories } = await subjectOf(store).newSpace()
  const kept: string[] = []
  let longest = 0
  const insert = async (): Promise<void> => {
    const memory = memoryOf({ content: LARGE, userId: `user${kept.length % 50}` })
    await memories.insert(memory, [pieceOf(LARGE)], NO_RECEIPT)
    kept.push(memory.id)
    longest = Math.max(longest, fileBytes(file))
  }
  const insertUntilRefused = async (): Promise<unknown> => {
    for (;;) {
      const outcomes = await Promise.allSettled(Array.from({ length: IN_FLIGHT }, insert))
      const refused = outcomes.find((outcome) => outcome.status === 'rejected')
      if (refused) return refused.reason
    }
  }

  const reader = openDatabase(file)
  reader.exec('BEGIN')
  const seen = reader.prepare<[], number>('SELECT COUNT(*) FROM memories').pluck()
  expect(seen.get()).toBe(0)
  expect(await insertUntilRefused()).toMatchObject({ name: 'StoreError', kind: 'unavailable' })
  expect(longest).toBeGreaterThan(LOG_BYTES_MAX / 2)
  expect(longest).toBeLessThanOrEqual(LOG_BYTES_MAX)
  // What the reader sees and what others see is both whole.
  expect(seen.get()).toBe(0)
  expect(await memories.page({}, { page: 1, limit: 1 })).toMatchObject({ total: kept.length })
  reader.close()

  await expect.poll(() => insert().then(() => 'inserted', String), PATIENT).toBe('inserted')
  await expect.poll(() => fileBytes(file), PATIENT).toBeLessThanOrEqual(LOG_BYTES_KEPT)
  for (const id of [kept[0], kept.at(-1)]) {
    expect(await memories.find(id ?? '')).toMatchObject({ id, content: LARGE })
  }
  expect(await memories.page({}, { page: 1, limit: 1 })).toMatchObject({ total: kept.length })
})

test('without readers that stay, the log is short again after any number of writes', {
  timeout: WHILE_MS,
}, async () => {
  const directory = newFolder()
  const file = databaseFile(directory)
  const { memories } = await subjectOf(await openIn(directory)).newSpace()
  let longest = 0
  for (let round = 0; round < 15; round += 1) {
    const writes = Array.from({ length: IN_FLIGHT }, () =>
      memories.insert(memoryOf({ content: LARGE }), [pieceOf(LARGE)], NO_RECEIPT),
    )
    await Promise.all([...writes, memories.page({}, { page: 1, limit: 100 })])
    longest = Math.max(longest, fileBytes(file))
  }
  expect(longest).toBeLessThanOrEqual(LOG_BYTES_MAX)
  await expect.poll(() => fileBytes(file), PATIENT).toBeLessThanOrEqual(LOG_BYTES_KEPT)
})

/** The keeper of a file with one table; `worker` is the other end of its copier. */
function keptLog({ isClean = true } = {}) {
  const path = join(newFolder(), 'a.db')
  const db = openDatabase(path)
  db.exec('CREATE TABLE t (text TEXT)')
  const descriptor = openSync(path, 'r+')
  const { port1: copier, port2: worker } = new MessageChannel()
  const answered: Reply[] = []
  const answer = (replies: Reply[]) => void answered.push(...replies)
  const onRoom = vi.fn()
  const keeper = new LogKeeper(db, { path, descriptor, isClean }, { copier, answer, onRoom })
  const write = (bytes: number): void => {
    db.exec(`INSERT INTO t VALUES (zeroblob(${bytes}))`)
  }
  onTestFinished(() => {
    db.close()
    closeSync(descriptor)
  })
  return { path, descriptor, copier, worker, answered, onRoom, keeper, write }
}

/** A deletion is committed while somebody reads. */
function deletedBesideReader() {
  const log = keptLog()
  const reader = openDatabase(log.path)
  onTestFinished(() => void reader.close())
  reader.exec('BEGIN')
  reader.prepare('SELECT COUNT(*) FROM t').get()
  log.write(1)
  const reply = { id: 1, result: true }
  log.keeper.committed([reply])
  return { ...log, reader, reply }
}

test('a reader that stays holds up the answer to a deletion for some seconds, and not longer', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { keeper, reply, answered } = deletedBesideReader()
  vi.advanceTimersByTime(4_900)
  expect(answered).toEqual([])
  vi.advanceTimersByTime(200)
  expect(answered).toEqual([reply])
  keeper.close(() => undefined)
})

test('what was deleted beside a reader leaves the log with it, though the answer came before', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { path, reader, keeper, answered } = deletedBesideReader()
  vi.advanceTimersByTime(5_100)
  expect(answered).toHaveLength(1)
  expect(fileBytes(path)).toBeGreaterThan(0)
  reader.exec('ROLLBACK')
  vi.advanceTimersByTime(2_000)
  expect(fileBytes(path)).toBe(0)
  keeper.close(() => undefined)
})

test('a deletion that waits for a reader is answered when the store closes', () => {
  const { keeper, reply, answered } = deletedBesideReader()
  expect(answered).toEqual([])
  keeper.close(() => undefined)
  expect(answered).toEqual([reply])
})

test('a log that a reader kept from being cut is not called clean when the store closes', () => {
  const { path, keeper } = deletedBesideReader()
  expect(isMarkedClean(path)).toBe(true)
  keeper.close(() => undefined)
  expect(isMarkedClean(path)).toBe(false)
})

test('beside a reader no commit begins that could take the log beyond its bound', () => {
  const { path, reader, keeper, write } = deletedBesideReader()
  write(LOG_BYTES_MAX - COMMIT_BYTES_MAX - fileBytes(path) - 1024 * 1024)
  expect(keeper.room()).toBe('yes')
  write(2 * 1024 * 1024)
  expect(fileBytes(path)).toBeLessThan(LOG_BYTES_MAX)
  expect(keeper.room()).toBe('none')
  reader.exec('ROLLBACK')
  expect(keeper.room()).toBe('yes')
  keeper.close(() => undefined)
})

test('what others write to the log is moved too, and commits hear when it was', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { path, worker, onRoom, keeper } = keptLog()
  const other = openDatabase(path)
  const asked = once(worker, 'message')
  other.exec(`INSERT INTO t VALUES (zeroblob(${LOG_BYTES_SHORT}))`)
  vi.advanceTimersByTime(1_000)
  await asked
  expect(onRoom).not.toHaveBeenCalled()
  worker.postMessage({ done: LOG_START } satisfies Copied)
  await expect.poll(() => onRoom.mock.calls.length).toBe(1)
  keeper.close(() => undefined)
  other.close()
})

test('while a long log is copied commits wait for that, and so does the end of the store', async () => {
  const { path, worker, keeper, write } = keptLog()
  write(LOG_BYTES_SHORT)
  keeper.committed([])
  expect(keeper.room()).toBe('yes')
  write(LOG_BYTES_MAX - COMMIT_BYTES_MAX)
  expect(keeper.room()).toBe('soon')
  const done = vi.fn()
  keeper.close(done)
  expect(done).not.toHaveBeenCalled()
  worker.postMessage({ done: LOG_START } satisfies Copied)
  await expect.poll(() => done.mock.calls.length).toBe(1)
  expect(fileBytes(path)).toBe(0)
})

test('a log that grows as fast as it is copied is copied three times, and then the writer moves the rest', async () => {
  const { worker, onRoom, keeper, write } = keptLog()
  let copies = 0
  worker.on('message', () => {
    copies += 1
    if (copies < 6) write(3 * 1024 * 1024)
    worker.postMessage({ done: LOG_START } satisfies Copied)
  })
  write(LOG_BYTES_SHORT)
  keeper.committed([])
  await expect.poll(() => onRoom.mock.calls.length).toBeGreaterThanOrEqual(3)
  const done = vi.fn()
  keeper.close(done)
  await expect.poll(() => done.mock.calls.length).toBe(1)
  expect(copies).toBe(3)
})

test('a write waits for a command that has the lock, also when the log was cut before', async () => {
  const directory = newFolder()
  const { memories } = await subjectOf(await openIn(directory)).newSpace()
  const memory = memoryOf()
  await memories.insert(memory, [pieceOf(memory.content)], NO_RECEIPT)
  expect(await memories.remove(memory.id, NO_RECEIPT)).toBe(true)
  expect(fileBytes(databaseFile(directory))).toBe(0)
  const command = openDatabase(databaseFile(directory))
  command.exec('BEGIN IMMEDIATE')
  const next = memoryOf()
  const write = memories.insert(next, [pieceOf(next.content)], NO_RECEIPT)
  await wait(500)
  command.close()
  await write
  expect(await memories.find(next.id)).toEqual(next)
})

test('a mistake in the program is not taken for a disk that may have room again', () => {
  const path = join(newFolder(), 'a.db')
  const db = openDatabase(path)
  db.exec('CREATE TABLE t (text TEXT)')
  const around = { copier: new MessageChannel().port1, answer: vi.fn(), onRoom: vi.fn() }
  const noDescriptor = -1
  const start = () => new LogKeeper(db, { path, descriptor: noDescriptor, isClean: true }, around)
  expect(start).toThrow(RangeError)
  db.close()
})

test('a log that is taken away, or cannot be looked at for a moment, refuses commits and ends nothing', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { path, keeper, write } = keptLog()
  write(1)
  const [log, aside] = [`${path}-wal`, `${path}-aside`]
  renameSync(log, aside)
  expect(keeper.room()).toBe('none')
  expect(keeper.failure).toMatchObject({ kind: 'unavailable', cause: { code: 'ENOENT' } })
  // As where no descriptor is free, the system says no.
  mkdirSync(log)
  vi.advanceTimersByTime(2_000)
  expect(keeper.room()).toBe('none')
  expect(keeper.failure).toMatchObject({ kind: 'unavailable', cause: { code: 'EISDIR' } })
  rmdirSync(log)
  renameSync(aside, log)
  expect(keeper.room()).toBe('yes')
  keeper.close(() => undefined)
})

test('what the copier could not overwrite the writer looks for in every page', async () => {
  const { path, descriptor, copier, worker, keeper } = keptLog({ isClean: false })
  const remains = Buffer.from('remains')
  writeSync(descriptor, remains, 0, remains.length, PAGE_BYTES + 1_000)
  expect(readFileSync(path).includes(remains)).toBe(true)
  worker.postMessage({ done: undefined } satisfies Copied)
  await once(copier, 'message')
  expect(readFileSync(path).includes(remains)).toBe(false)
  keeper.close(() => undefined)
})
