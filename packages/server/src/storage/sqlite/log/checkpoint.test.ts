// What the last step of a checkpoint leaves behind, looked at in the file itself.
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { newFolder } from '../../../testing/new-folder.ts'
import { BUSY_TIMEOUT_MS, type Connection, openDatabase } from '../opening/open-database.ts'
import { Checkpoint, type DatabaseFile } from './checkpoint.ts'
import { isMarkedClean } from './clean-mark.ts'
import { logCopier } from './copy-log.ts'
import { overwriteFreeBytes, pagesOf } from './free-bytes.ts'

const PAGE_BYTES = 8_192

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0).reverse()) close()
})

/** A database whose rows move when others come between them. */
function setUp() {
  const path = join(newFolder(), 'a.db')
  const connect = (): Connection => {
    const db = openDatabase(path)
    closing.push(() => db.close())
    return db
  }
  const descriptor = openSync(path, 'w+')
  closing.push(() => closeSync(descriptor))
  const [db, mover, reader] = [connect(), connect(), connect()]
  db.exec('CREATE TABLE rows (id TEXT PRIMARY KEY, text TEXT) WITHOUT ROWID')
  const insert = db.prepare('INSERT INTO rows VALUES (?, ?)')
  let made = 0
  const add = (rows: number): void => {
    for (let row = 0; row < rows; row += 1) {
      made += 1
      // Anywhere between the others.
      insert.run(String((made * 7_919) % 100_003), 'text '.repeat(28))
    }
  }
  db.exec('CREATE TABLE others (no INTEGER PRIMARY KEY)')
  const file: DatabaseFile = { path, descriptor, isClean: false }
  const readOnly = openSync(path, 'r')
  closing.push(() => closeSync(readOnly))
  return {
    db,
    reader,
    add,
    commit: db.transaction(add),
    /** If all of the log was moved it begins anew, and its frames are written over. */
    commitElsewhere: () => {
      for (let commits = 0; commits < 300; commits += 1) {
        db.exec('INSERT INTO others DEFAULT VALUES')
      }
    },
    file,
    checkpoint: new Checkpoint({ db, mover }, file),
    /** As a start has it after this process was killed. */
    nextCheckpoint: () =>
      new Checkpoint({ db, mover }, { path, descriptor, isClean: isMarkedClean(path) }),
    copyLog: () => logCopier({ db: mover, guard: reader }, file)(),
    /** `work` comes as soon as the copier has moved pages. */
    whenCopierHasMoved: (work: () => void) => {
      const prepare = mover.prepare.bind(mover)
      vi.spyOn(mover, 'prepare').mockImplementation((source: string) => {
        const statement = prepare(source)
        const all = statement.all.bind(statement)
        vi.spyOn(statement, 'all').mockImplementation((...values: unknown[]) => {
          const rows = all(...values)
          work()
          return rows
        })
        return statement
      })
    },
    failToOverwrite: (work: () => unknown) => {
      file.descriptor = readOnly
      expect(work).toThrow('EBADF')
      file.descriptor = descriptor
    },
    /** Pages that hold bytes of what was moved away. */
    remains: () =>
      overwriteFreeBytes(descriptor, PAGE_BYTES, new Set(pagesOf(descriptor, PAGE_BYTES))),
  }
}

test('no page escapes that is written over an uncommitted tail of the log beside a reader', () => {
  const { db, reader, add, commit, checkpoint, remains } = setUp()
  commit(500)
  expect(checkpoint.run({ forgets: true })).toBe(true)
  commit(20)
  // More than the cache holds, so that it goes to the log before the commit that never comes.
  db.pragma('cache_size = 10')
  db.exec('BEGIN')
  add(3_000)
  db.exec('ROLLBACK')
  db.pragma('cache_size = -32768')
  reader.exec('BEGIN')
  reader.prepare('SELECT COUNT(*) FROM rows').get()
  expect(checkpoint.run({ forgets: true })).toBe(false)
  commit(200)
  reader.exec('COMMIT')
  expect(checkpoint.run({ forgets: true })).toBe(true)
  expect(remains()).toBe(0)
})

test('a page that a reader kept from being moved is overwritten when it is', () => {
  const { reader, commit, checkpoint, remains } = setUp()
  commit(500)
  expect(checkpoint.run({ forgets: true })).toBe(true)
  reader.exec('BEGIN')
  reader.prepare('SELECT COUNT(*) FROM rows').get()
  commit(2_000)
  expect(checkpoint.run({ forgets: false })).toBe(false)
  reader.exec('COMMIT')
  expect(checkpoint.run({ forgets: false })).toBe(true)
  expect(remains()).toBe(0)
})

test('a page that a reader kept from being copied is overwritten when it is moved', () => {
  const { file, commit, copyLog, checkpoint, remains } = setUp()
  commit(500)
  expect(checkpoint.run({ forgets: true })).toBe(true)
  const other = openDatabase(file.path)
  other.exec('BEGIN')
  other.prepare('SELECT COUNT(*) FROM rows').get()
  commit(2_000)
  checkpoint.moved(copyLog())
  other.close()
  expect(checkpoint.run({ forgets: false })).toBe(true)
  expect(remains()).toBe(0)
})

test('the log does not begin anew between a copy and the overwriting of its pages', () => {
  const { commit, commitElsewhere, whenCopierHasMoved, copyLog, checkpoint, remains } = setUp()
  expect(checkpoint.run({ forgets: true })).toBe(true)
  commit(2_000)
  whenCopierHasMoved(commitElsewhere)
  checkpoint.moved(copyLog())
  vi.restoreAllMocks()
  expect(checkpoint.run({ forgets: false })).toBe(true)
  expect(remains()).toBe(0)
})

test('no page escapes of a log that begins anew while a copy finds nothing to move', () => {
  const { commit, whenCopierHasMoved, copyLog, checkpoint, remains } = setUp()
  commit(2_000)
  expect(checkpoint.run({ forgets: false })).toBe(true)
  whenCopierHasMoved(() => commit(2_000))
  checkpoint.moved(copyLog())
  vi.restoreAllMocks()
  expect(checkpoint.run({ forgets: false })).toBe(true)
  expect(remains()).toBe(0)
})

test('a log of which all is in the file counts as empty until the next commit', () => {
  const { commit, checkpoint } = setUp()
  commit(500)
  expect(checkpoint.logBytes).toBeGreaterThan(0)
  expect(checkpoint.run({ forgets: false })).toBe(true)
  expect(checkpoint.logBytes).toBe(0)
  commit(1)
  expect(checkpoint.logBytes).toBeGreaterThan(0)
})

test('neither a reader nor another process that writes holds up the step', () => {
  const { reader, commit, checkpoint } = setUp()
  commit(500)
  const startMs = performance.now()
  reader.exec('BEGIN')
  reader.prepare('SELECT COUNT(*) FROM rows').get()
  expect(checkpoint.run({ forgets: true })).toBe(false)
  reader.exec('ROLLBACK; BEGIN IMMEDIATE')
  expect(checkpoint.run({ forgets: true })).toBe(false)
  reader.exec('ROLLBACK')
  expect(performance.now() - startMs).toBeLessThan(BUSY_TIMEOUT_MS)
  expect(checkpoint.run({ forgets: true })).toBe(true)
})

test('what another process writes in the very moment of the last step does not escape either', () => {
  const { db, file, reader, commit, checkpoint, remains } = setUp()
  commit(2_000)
  expect(checkpoint.run({ forgets: false })).toBe(true)
  commit(10)
  const pragma = db.pragma.bind(db)
  const other = reader.prepare('INSERT INTO rows VALUES (?, ?)')
  const writeAll = reader.transaction(() => {
    for (let row = 0; row < 2_000; row += 1) other.run(`${row * 41}.5`, 'text '.repeat(28))
  })
  const spy = vi.spyOn(db, 'pragma').mockImplementation((source, options) => {
    if (!source.startsWith('wal_checkpoint')) return pragma(source, options)
    spy.mockRestore()
    writeAll()
    return pragma(source, options)
  })
  // With this one nothing in the log names the pages afterwards.
  expect(checkpoint.run({ forgets: true })).toBe(false)
  expect(isMarkedClean(file.path)).toBe(false)
  expect(checkpoint.run({ forgets: true })).toBe(true)
  expect(remains()).toBe(0)
  expect(isMarkedClean(file.path)).toBe(true)
})

test.each(['checkpoint', 'copier'])(
  'pages that the %s moved and could not overwrite are looked at by the next start',
  (who) => {
    const { commit, commitElsewhere, failToOverwrite, checkpoint, ...rest } = setUp()
    expect(checkpoint.run({ forgets: true })).toBe(true)
    commit(2_000)
    failToOverwrite(who === 'copier' ? rest.copyLog : () => checkpoint.run({ forgets: false }))
    commitElsewhere()
    expect(rest.nextCheckpoint().run({ forgets: true })).toBe(true)
    expect(rest.remains()).toBe(0)
    expect(isMarkedClean(rest.file.path)).toBe(true)
  },
)
