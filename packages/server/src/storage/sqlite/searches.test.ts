// How the indexes in memory follow the rows, whatever the moment at which one is loaded. Commits
// and the messages about them are played out one by one here.
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { memoryOf, NO_RECEIPT, pieceOf, unit } from '../conformance/records.ts'
import { newKey } from '../conformance/subject.ts'
import type { SpaceId } from '../store.ts'
import { migrate } from './migrate.ts'
import { openDatabase } from './open-database.ts'
import type { IndexChange } from './search-index.ts'
import { searches } from './searches.ts'
import { newFolder } from './testing/store-in-folder.ts'
import { openWrites } from './writes.ts'

const QUERY = { vectors: [unit([1, 0, 0, 0, 0])], terms: [], asks: false }
const CUT = { limit: 2, threshold: 0 }

function setUp({ bytesMax }: { bytesMax?: number } = {}) {
  const db = openDatabase(join(newFolder(), 'a.db'))
  onTestFinished(() => void db.close())
  migrate(db)
  const changes: IndexChange[] = []
  const writes = openWrites(db, changes)
  const { apply, search } = searches(db, bytesMax)
  const newSpace = (): SpaceId => {
    const key = newKey()
    writes.insertKey(key)
    const select = db.prepare<[string], SpaceId>('SELECT space_no FROM keys WHERE id = ?').pluck()
    return select.get(key.id) ?? (0 as SpaceId)
  }
  return {
    newSpace,
    /** Commits; the message about it is the caller's to deliver. */
    insert(space: SpaceId) {
      const memory = memoryOf()
      writes.insertMemory(space, memory, [pieceOf('')], NO_RECEIPT)
      return { id: memory.id, messages: changes.splice(0) }
    },
    remove(space: SpaceId, id: string) {
      writes.removeMemory(space, id, NO_RECEIPT)
      return changes.splice(0)
    },
    deliver: (messages: IndexChange[]) => messages.forEach(apply),
    found: (space: SpaceId) => search(space, QUERY, {}, CUT).map(({ id }) => id),
  }
}

test('messages that arrive after the load that already saw their rows change nothing', () => {
  const { newSpace, insert, remove, deliver, found } = setUp()
  const space = newSpace()
  const [kept, gone] = [insert(space), insert(space)]
  const removal = remove(space, gone.id)
  expect(found(space)).toEqual([kept.id])
  deliver(kept.messages)
  expect(found(space)).toEqual([kept.id])
  deliver(gone.messages)
  expect(found(space)).toEqual([kept.id])
  deliver(removal)
  expect(found(space)).toEqual([kept.id])
})

test('a memory whose removal was not heard of yet leaves its place to the next best', () => {
  const { newSpace, insert, remove, deliver, found } = setUp()
  const space = newSpace()
  const [oldest, middle, newest] = [insert(space), insert(space), insert(space)]
  expect(found(space)).toEqual([newest.id, middle.id])
  const removal = remove(space, newest.id)
  expect(found(space)).toEqual([middle.id, oldest.id])
  deliver(removal)
  expect(found(space)).toEqual([middle.id, oldest.id])
})

test('indexes that make room for others are loaded again, with what happened meanwhile', () => {
  const { newSpace, insert, remove, deliver, found } = setUp({ bytesMax: 1 })
  const [one, other] = [newSpace(), newSpace()]
  const [first, foreign] = [insert(one), insert(other)]
  expect([found(one), found(other)]).toEqual([[first.id], [foreign.id]])
  const second = insert(one)
  deliver(second.messages)
  deliver(remove(one, first.id))
  expect([found(one), found(other), found(one)]).toEqual([[second.id], [foreign.id], [second.id]])
})
