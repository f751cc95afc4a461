// Operations that share a commit succeed or fail each by itself, and replies say what the file holds. A bound
// on pages stands for the full disk, and a second connection for another process.
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { newFolder } from '../../../testing/new-folder.ts'
import type { SpaceId } from '../../records.ts'
import type { IndexChange } from '../index/tables/indexed.ts'
import { type Connection, openDatabase } from '../opening/open-database.ts'
import type { Call } from '../threads/worker-calls.ts'
import { groupCommit, notesInList } from './group-commit.ts'
import { Tally } from './tally.ts'

function setUp() {
  const file = join(newFolder(), 'a.db')
  const db = openDatabase(file)
  onTestFinished(() => void db.close())
  db.exec('CREATE TABLE t (a INTEGER PRIMARY KEY, text TEXT)')
  const insert = db.prepare('INSERT INTO t VALUES (?, ?)')
  const changes: IndexChange[] = []
  // The space is never looked at here: any value stands for one.
  const noted = (no: number): IndexChange => ({
    kind: 'removed',
    space: 1 as SpaceId,
    generation: 1,
    memory: { no, userId: '', agentId: undefined, tags: [], terms: [] },
  })
  const sums: [string, number][] = []
  const tally = new Tally<[string]>(([place], amount) => void sums.push([place, amount]))
  const runs = { ofFailOnce: 0 }
  const procedures = {
    insert(no: number, text = '') {
      changes.push(noted(no))
      tally.note(['inserted'], 1)
      insert.run(no, text)
      return no
    },
    fail(code: string) {
      throw new Database.SqliteError('said the test', code)
    },
    failOnce(code: string) {
      runs.ofFailOnce += 1
      if (runs.ofFailOnce === 1) throw new Database.SqliteError('said the test', code)
    },
  }
  const commitTogether = groupCommit(db, procedures, [notesInList(changes), tally])
  return { file, db, changes, noted, sums, runs, commitTogether, rows: () => rowsOf(db) }
}

const rowsOf = (db: Connection): unknown[] => db.prepare('SELECT a FROM t').pluck().all()

let ids = 0
const call = (name: string, ...args: unknown[]): Call => {
  ids += 1
  return { id: ids, name, args }
}

test('an operation that fails does not fail its neighbours', () => {
  const { commitTogether, rows, changes, noted, sums } = setUp()
  const calls = [call('insert', 1), call('insert', 1), call('nonsense'), call('insert', 2)]
  const replies = commitTogether(calls)
  expect(replies.map(({ id }) => id)).toEqual(calls.map(({ id }) => id))
  expect(replies).toMatchObject([
    { result: 1 },
    { failure: { kind: 'fault' } },
    { failure: { kind: 'fault' } },
    { result: 2 },
  ])
  expect(rows()).toEqual([1, 2])
  expect(changes).toEqual([noted(1), noted(2)])
  expect(sums).toEqual([['inserted', 2]])
})

test('what arrives while a group is run joins its commit', () => {
  const { file, commitTogether, rows } = setUp()
  const other = openDatabase(file)
  const seenByOthers: unknown[] = []
  const arriving = [[call('insert', 2), call('insert', 3)], [call('insert', 4)]]
  const replies = commitTogether([call('insert', 1)], () => {
    seenByOthers.push(...rowsOf(other))
    return arriving.shift() ?? []
  })
  expect(replies).toMatchObject([{ result: 1 }, { result: 2 }, { result: 3 }, { result: 4 }])
  expect([seenByOthers, rows()]).toEqual([[], [1, 2, 3, 4]])
  other.close()
})

test.each([
  ['that cannot be', ''],
  ['for which there is no room', 'x'.repeat(100_000)],
])('what joins %s fails alone', (_why, text) => {
  const { db, commitTogether, rows, changes, noted } = setUp()
  const pages = db.prepare<[], number>('PRAGMA page_count').pluck().get() ?? 0
  db.pragma(`max_page_count = ${pages + 1}`)
  const arriving = [[call('insert', text === '' ? 1 : 2, text), call('insert', 3)]]
  const group = [call('insert', 1), call('insert', 4)]
  const replies = commitTogether(group, () => arriving.shift() ?? [])
  expect(replies).toMatchObject([{ result: 1 }, { result: 4 }, { failure: {} }, { result: 3 }])
  expect(rows()).toEqual([1, 3, 4])
  expect(changes).toEqual([noted(1), noted(4), noted(3)])
})

test('on a full disk, what fits is committed and only the rest is refused', () => {
  const { db, commitTogether, rows, changes, noted } = setUp()
  const pages = db.prepare<[], number>('PRAGMA page_count').pluck().get() ?? 0
  db.pragma(`max_page_count = ${pages + 1}`)
  const large = 'x'.repeat(100_000)
  const replies = commitTogether([
    call('insert', 1),
    call('insert', 2, large),
    call('insert', 3),
    call('insert', 4, large),
  ])
  expect(replies).toMatchObject([
    { result: 1 },
    { failure: { kind: 'full' } },
    { result: 3 },
    { failure: { kind: 'full' } },
  ])
  expect(rows()).toEqual([1, 3])
  expect(changes).toEqual([noted(1), noted(3)])
  db.pragma('max_page_count = 1073741823')
  expect(commitTogether([call('insert', 2, large)])).toMatchObject([{ result: 2 }])
})

test('while another process holds the lock, all are refused and nothing stands', () => {
  const { file, db, commitTogether, rows, changes } = setUp()
  db.pragma('busy_timeout = 0')
  const other = openDatabase(file)
  other.exec('BEGIN IMMEDIATE')
  const calls = [call('insert', 1), call('insert', 2)]
  const busy = { failure: { kind: 'unavailable' } }
  expect(commitTogether(calls)).toMatchObject([busy, busy])
  expect([rows(), changes]).toEqual([[], []])
  other.exec('ROLLBACK')
  other.close()
  expect(commitTogether(calls)).toMatchObject([{ result: 1 }, { result: 2 }])
})

test.each([
  'SQLITE_IOERR_FSYNC',
  'SQLITE_IOERR_DIR_FSYNC',
  'SQLITE_IOERR_WRITE',
  'SQLITE_IOERR_TRUNCATE',
  'SQLITE_CORRUPT',
  'SQLITE_NOTADB',
])('after %s nothing is answered: the process must not go on', (code) => {
  const { commitTogether, db } = setUp()
  expect(() => commitTogether([call('insert', 1), call('fail', code)])).toThrow('said the test')
  expect(db.inTransaction).toBe(true)
})

test.each([
  ['alone', []],
  ['in a group', [call('insert', 1)]],
])('nor is it tried again when it fails but once, %s', (_, others) => {
  const { commitTogether, runs } = setUp()
  expect(() => commitTogether([...others, call('failOnce', 'SQLITE_CORRUPT')])).toThrow(
    'said the test',
  )
  expect(runs.ofFailOnce).toBe(1)
})

test('what the notes add up to is committed with their operations, or not at all', () => {
  const { db, rows } = setUp()
  const insert = db.prepare('INSERT INTO t VALUES (?, NULL)')
  let fails = false
  const noted: number[] = []
  const settle = (): void => {
    insert.run(100 + noted.splice(0).length)
    if (fails) throw new Error('said the test')
  }
  const note = (no: number): void => {
    noted.push(no)
    insert.run(no)
  }
  const commitTogether = groupCommit(db, { note }, [{ ...notesInList(noted), settle }])
  expect(commitTogether([call('note', 1), call('note', 2)])).not.toContainEqual(
    expect.objectContaining({ failure: expect.anything() }),
  )
  expect(rows()).toEqual([1, 2, 102])
  fails = true
  expect(commitTogether([call('note', 3)])).toMatchObject([{ failure: { kind: 'fault' } }])
  expect(rows()).toEqual([1, 2, 102])
})

test('deletions that write much end the commit, and what came behind them has not run', () => {
  const { db, rows } = setUp()
  const insert = db.prepare('INSERT INTO t VALUES (?, NULL)')
  db.transaction(() => {
    for (let no = 0; no < 5_000; no += 1) insert.run(no)
  })()
  const remove = db.prepare('DELETE FROM t WHERE a BETWEEN ? AND ?')
  const procedures = {
    insert: (no: number) => insert.run(no).changes,
    remove: (from: number, to: number) => remove.run(from, to).changes,
  }
  const commitTogether = groupCommit(db, procedures, [], new Set(['remove']))
  const removals = [0, 1, 2].map((one) => call('remove', one * 600, one * 600 + 599))
  const asked: unknown[] = []
  const replies = commitTogether([call('insert', 5_000), ...removals], () => {
    asked.push('more')
    return []
  })
  expect(replies).toMatchObject([{ result: 1 }, { result: 600 }, { result: 600 }])
  expect(asked).toEqual([])
  expect(rows()).toHaveLength(3_801)
})

test('whatever else writes as much does not end it', () => {
  const { db } = setUp()
  const fill = db.prepare(
    `WITH RECURSIVE numbers (no) AS (SELECT ? UNION ALL SELECT no + 1 FROM numbers LIMIT 2000)
     INSERT INTO t SELECT no, NULL FROM numbers`,
  )
  const procedures = { fill: (from: number) => fill.run(from).changes }
  const commitTogether = groupCommit(db, procedures, [], new Set(['remove']))
  const replies = commitTogether([call('fill', 0), call('fill', 10_000)])
  expect(replies).toMatchObject([{ result: 2_000 }, { result: 2_000 }])
})

test('a group waits for the lock of another process once, and not with each operation', () => {
  const { file, db, commitTogether } = setUp()
  const waitMs = 100
  db.pragma(`busy_timeout = ${waitMs}`)
  const other = openDatabase(file)
  other.exec('BEGIN IMMEDIATE')
  const calls = Array.from({ length: 30 }, (_, no) => call('insert', no))
  const beganMs = performance.now()
  commitTogether(calls)
  expect(performance.now() - beganMs).toBeLessThan((calls.length / 2) * waitMs)
  other.exec('ROLLBACK')
  other.close()
})
