// That no commit is missed, whoever makes it and whenever one looks, and that nothing else is taken for one.
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { newFolder } from '../../../testing/new-folder.ts'
import { type Connection, openDatabase } from '../opening/open-database.ts'
import type { CommittingData } from '../testing/committing.worker.ts'
import { CommitWatch } from './commit-watch.ts'

function setUp() {
  const file = join(newFolder(), 'a.db')
  const open = (): Connection => {
    const db = openDatabase(file)
    onTestFinished(() => void db.close())
    return db
  }
  const db = open()
  db.exec('CREATE TABLE counter (number INTEGER NOT NULL); INSERT INTO counter VALUES (0)')
  const watch = new CommitWatch(file)
  onTestFinished(() => watch.close())
  return { file, db, watch, other: open() }
}

test('a commit of any connection is told once, and what is not committed not at all', () => {
  const { db, other, watch } = setUp()
  expect([watch.hasCommitted(), watch.hasCommitted()]).toEqual([true, false])
  for (const connection of [db, other]) {
    connection.exec('UPDATE counter SET number = number + 1')
    expect([watch.hasCommitted(), watch.hasCommitted()]).toEqual([true, false])
    connection.exec('BEGIN IMMEDIATE; UPDATE counter SET number = number + 1')
    expect(watch.hasCommitted()).toBe(false)
    connection.exec('ROLLBACK')
    expect(watch.hasCommitted()).toBe(false)
    connection.prepare('SELECT number FROM counter').all()
    expect(watch.hasCommitted()).toBe(false)
  }
})

test('commits before and after the log has begun anew are told', () => {
  const { db, other, watch } = setUp()
  for (const mode of ['PASSIVE', 'RESTART', 'TRUNCATE']) {
    for (let times = 0; times < 3; times += 1) {
      other.exec('UPDATE counter SET number = number + 1')
      expect(watch.hasCommitted(), mode).toBe(true)
      db.pragma(`wal_checkpoint(${mode})`)
      watch.hasCommitted()
      other.exec('UPDATE counter SET number = number + 1')
      expect(watch.hasCommitted(), mode).toBe(true)
    }
  }
})

test('what was committed before one looks is seen, while another thread commits all the time', async () => {
  const { file, db, watch } = setUp()
  const told = new Int32Array(new SharedArrayBuffer(4))
  const last = 5_000
  const worker = new Worker(new URL('../testing/committing.worker.ts', import.meta.url), {
    workerData: { file, told, last } satisfies CommittingData,
  })
  onTestFinished(() => void worker.terminate())
  const ended = new Promise((resolve) => worker.once('exit', resolve))
  const select = db.prepare<[], number>('SELECT number FROM counter').pluck()
  let [number, looks, reads] = [0, 0, 0]
  while (number < last) {
    const committed = Atomics.load(told, 0)
    if (watch.hasCommitted()) {
      number = select.get() ?? 0
      reads += 1
    }
    looks += 1
    expect(number).toBeGreaterThanOrEqual(committed)
    // Lets the messages of the worker through, such as that it has failed.
    if (looks % 1_000 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  expect(reads).toBeGreaterThan(10)
  expect(await ended).toBe(0)
})
