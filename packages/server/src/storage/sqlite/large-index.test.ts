// The index of a space about as large as the border from which on it is searched through signs and kept
// in a copy: a copy is there when it is of use, and what happened since is in what is found.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { newFolder } from '../../testing/new-folder.ts'
import { memoryOf, NO_RECEIPT, pieceOf, queryOf } from '../conformance/records.ts'
import { MODEL, newKey } from '../conformance/subject.ts'
import type { SpaceId } from '../records.ts'
import { indexCopies } from './index/copies.ts'
import { dropCopies } from './index/copy-paths.ts'
import { SearchIndex } from './index/search-index.ts'
import type { IndexChange } from './index/tables/indexed.ts'
import { Workspace } from './index/tables/workspace.ts'
import { Centroid } from './index/vectors/centroid.ts'
import { migrate } from './migrations/migrate.ts'
import { openDatabase } from './opening/open-database.ts'
import { searches } from './searches.ts'
import { openFiles, TELLS_OPEN_FILES } from './testing/open-files.ts'
import { inOneGo, rowsOf } from './testing/search-at-once.ts'
import { openWrites } from './threads/writes.ts'

/** Memories up to which a space is searched exactly. */
const BORDER = 20_000
/** Some tenths more, so that the kind of an index does not change at every step across the border. */
const FAR_BEYOND = 22_100
/** More than are read in one step of a load. */
const SEVERAL_STEPS = 450

function setUp() {
  const db = openDatabase(join(newFolder(), 'a.db'))
  onTestFinished(() => void db.close())
  migrate(db)
  const changes: IndexChange[] = []
  const { procedures: writes, notes } = openWrites(db, changes)
  const { number: generation } = writes.adoptModel(MODEL)
  writes.insertKey(newKey())
  const space = db.prepare<[], SpaceId>('SELECT no FROM spaces').pluck().get() ?? (0 as SpaceId)
  const commit = db.transaction((work: () => void) => {
    work()
    for (const note of notes) note.settle?.()
  })
  /** Commits, and returns the messages about it. */
  const messagesOf = (work: () => void): IndexChange[] => {
    commit.immediate(work)
    return changes.splice(0)
  }
  return {
    /** Of an index of the kind that large spaces have. */
    saveCopy(messages: IndexChange[]): boolean {
      const [rows, workspace] = [rowsOf(() => []), new Workspace()]
      const index = new SearchIndex(rows, workspace, Centroid.of([new Float32Array(5)]))
      for (const change of messages) {
        if (change.kind === 'added') index.add(change.memory, change.pieces)
      }
      return inOneGo(indexCopies(db, workspace, rows).save(space, generation, index))
    },
    /** As damage does it. Until the checker comes to it, the count stays so. */
    miscount: () => void db.exec('UPDATE counts SET count = 30000'),
    retire: () => void db.exec("UPDATE generations SET state = 'retired'"),
    hasCopy: () => existsSync(`${db.name}-index-${space}`),
    insert(count: number, userId = 'anna') {
      const ids: string[] = []
      const messages = messagesOf(() => {
        for (let made = 0; made < count; made += 1) {
          const memory = memoryOf({ userId })
          writes.insertMemory(space, memory, [pieceOf('')], NO_RECEIPT, generation)
          ids.push(memory.id)
        }
      })
      return { ids, messages }
    },
    /** As the writer does it: a copy that has them goes. */
    remove(ids: string[]) {
      const messages = messagesOf(() => {
        for (const id of ids) writes.removeMemory(space, id, NO_RECEIPT)
      })
      dropCopies(db.name, new Set([space]))
      return messages
    },
    open() {
      const { apply, search, close } = searches(db)
      return {
        deliver: (messages: IndexChange[]) => messages.forEach(apply),
        /** How many memories of the user are found. A copy is made after the search. */
        async count(userId = 'anna'): Promise<number> {
          const cut = { limit: 1_000, threshold: 0 }
          const found = await search(space, queryOf([1, 0, 0, 0, 0]), { userId }, cut, generation)
          await nextTurn()
          return found.length
        },
        close,
      }
    },
  }
}

test('a large space has a copy of its index after a stop, also when one was deleted, and what came since is found', async () => {
  const { hasCopy, insert, remove, open } = setUp()
  const { ids } = insert(BORDER + 100, 'early')
  const first = open()
  expect(await first.count('anna')).toBe(0)
  expect(hasCopy()).toBe(true)
  first.deliver(remove(ids.slice(0, 1)))
  expect(hasCopy()).toBe(false)
  first.close()
  expect(hasCopy()).toBe(true)
  insert(SEVERAL_STEPS)
  const second = open()
  expect(await second.count('anna')).toBe(SEVERAL_STEPS)
  second.close()
})

test('a space that grows far beyond the border is loaded as a large one, and one that shrinks as a small one', async () => {
  const { hasCopy, insert, remove, open } = setUp()
  insert(BORDER)
  const { deliver, count, close } = open()
  await count()
  expect(hasCopy()).toBe(false)
  const { ids, messages } = insert(FAR_BEYOND - BORDER, 'late')
  deliver(messages)
  await count()
  expect(hasCopy()).toBe(true)
  deliver(remove(ids))
  expect(await count('late')).toBe(0)
  close()
  expect(hasCopy()).toBe(false)
})

test('a space that shrinks to the border while it is loaded is searched as a small one', async () => {
  const { hasCopy, insert, remove, open } = setUp()
  const { ids } = insert(BORDER + 1)
  const { deliver, count } = open()
  const counting = count()
  await nextTurn()
  deliver(remove(ids.slice(0, 2)))
  expect(await counting).toBe(1_000)
  expect(hasCopy()).toBe(false)
})

/** Resolves when the copy of an index is being read. */
async function readingOfCopy(): Promise<void> {
  const restore = vi.spyOn(SearchIndex.prototype, 'restore')
  onTestFinished(() => restore.mockRestore())
  while (restore.mock.calls.length === 0) await nextTurn()
}

test('what comes and goes while a copy is read is known to the index that is made of it', async () => {
  const { hasCopy, insert, remove, open } = setUp()
  const { ids } = insert(BORDER + SEVERAL_STEPS, 'early')
  const first = open()
  await first.count()
  first.close()
  const { deliver, count, close } = open()
  const counting = count('late')
  await readingOfCopy()
  deliver(insert(2, 'late').messages)
  deliver(remove(ids.slice(0, 1)))
  expect(await counting).toBe(2)
  close()
  // One with a memory that is gone would be refused.
  expect(hasCopy()).toBe(true)
})

test('while a copy is written others have their turns, and what comes and goes is known to the index', async () => {
  const { hasCopy, insert, remove, open } = setUp()
  const { ids } = insert(BORDER + SEVERAL_STEPS, 'early')
  const save = vi.spyOn(SearchIndex.prototype, 'save')
  onTestFinished(() => save.mockRestore())
  const { deliver, count } = open()
  const counting = count('late')
  while (save.mock.calls.length === 0) await nextTurn()
  expect(hasCopy()).toBe(false)
  deliver(insert(2, 'late').messages)
  deliver(remove(ids.slice(0, 1)))
  expect(await counting).toBe(2)
  expect(hasCopy()).toBe(false)
})

test.runIf(TELLS_OPEN_FILES)(
  'a copy is left alone when the vectors are others by then',
  async () => {
    const { insert, open, retire } = setUp()
    insert(BORDER + SEVERAL_STEPS)
    const first = open()
    await first.count()
    first.close()
    const counting = open().count()
    await readingOfCopy()
    retire()
    await expect(counting).rejects.toMatchObject({ kind: 'outdated' })
    expect(openFiles().filter((path) => path.includes('-index-'))).toEqual([])
  },
)

test('a step of a load goes on where the last one has ended: none looks through the whole space for its rows', () => {
  const db = openDatabase(join(newFolder(), 'a.db'))
  onTestFinished(() => void db.close())
  migrate(db)
  const prepare = vi.spyOn(db, 'prepare')
  searches(db).close()
  const statements = prepare.mock.calls.map(([sql]) => sql)
  const ofMemories = statements.filter((sql) => sql.includes('FROM memories'))
  expect(ofMemories).not.toEqual([])
  for (const sql of ofMemories) {
    const places = sql.split('').filter((sign) => sign === '?')
    const plan = db.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
    const details = plan.all(...places.map(() => 1)).map(({ detail }) => detail)
    expect(details, sql).not.toContainEqual(expect.stringContaining('ORDER BY'))
  }
})

test('a copy of so few that they are searched exactly is not used', async () => {
  const { saveCopy, insert, open } = setUp()
  expect(saveCopy(insert(3).messages)).toBe(true)
  const centroidOf = vi.spyOn(Centroid.prototype, 'query')
  onTestFinished(() => centroidOf.mockRestore())
  expect(await open().count()).toBe(3)
  expect(centroidOf).not.toHaveBeenCalled()
})

test('a space of which another number is counted than it has is searched', async () => {
  const { insert, miscount, open } = setUp()
  insert(3)
  miscount()
  expect(await open().count()).toBe(3)
})
