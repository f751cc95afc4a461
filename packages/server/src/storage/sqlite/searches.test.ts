// How the indexes in memory follow the rows, whatever the moment at which one is loaded. Commits
// and the messages about them are played out one by one here.
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { CALIBRATION, memoryOf, NO_RECEIPT, pieceOf, queryOf } from '../conformance/records.ts'
import { MODEL, newKey } from '../conformance/subject.ts'
import type { SpaceId } from '../store.ts'
import type { IndexChange } from './index/indexed.ts'
import { migrate } from './migrate.ts'
import { openDatabase } from './open-database.ts'
import { reembedding } from './reembedding.ts'
import { searches } from './searches.ts'
import { newFolder } from './testing/store-in-folder.ts'
import { openWrites } from './writes.ts'

const QUERY = queryOf([1, 0, 0, 0, 0])
const CUT = { limit: 2, threshold: 0 }

function setUp({ bytesMax }: { bytesMax?: number } = {}) {
  const db = openDatabase(join(newFolder(), 'a.db'))
  onTestFinished(() => void db.close())
  migrate(db)
  const changes: IndexChange[] = []
  const writes = openWrites(db, changes).procedures
  const { number: generation } = writes.adoptModel(MODEL)
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
    insert(space: SpaceId, vector?: number[]) {
      const memory = memoryOf()
      writes.insertMemory(space, memory, [pieceOf('', vector)], NO_RECEIPT, generation)
      return { id: memory.id, messages: changes.splice(0) }
    },
    remove(space: SpaceId, id: string) {
      writes.removeMemory(space, id, NO_RECEIPT)
      return changes.splice(0)
    },
    deliver: (messages: IndexChange[]) => messages.forEach(apply),
    /** Moves to vectors of three numbers instead of five. */
    async moveToOther() {
      const mover = reembedding(db, async () => undefined)
      const { number } = await mover.begin({ ...MODEL, id: 'other', dimension: 3 })
      const embed = async () => [pieceOf('', [1, 0, 0])]
      expect(await mover.switchOver({ restMax: 10, waitMsMax: 10_000, embed })).toBe(true)
      const query = queryOf([1, 0, 0])
      return async (space: SpaceId) =>
        (await search(space, query, {}, CUT, number)).map(({ id, score }) => [id, score])
    },
    found: async (space: SpaceId, query = QUERY) =>
      (await search(space, query, {}, CUT, generation)).map(({ id }) => id),
  }
}

test('messages that arrive after the load that already saw their rows change nothing', async () => {
  const { newSpace, insert, remove, deliver, found } = setUp()
  const space = newSpace()
  const [kept, gone] = [insert(space), insert(space)]
  const removal = remove(space, gone.id)
  expect(await found(space)).toEqual([kept.id])
  deliver(kept.messages)
  expect(await found(space)).toEqual([kept.id])
  deliver(gone.messages)
  expect(await found(space)).toEqual([kept.id])
  deliver(removal)
  expect(await found(space)).toEqual([kept.id])
})

test('a memory whose removal was not heard of yet leaves its place to the next best', async () => {
  const { newSpace, insert, remove, deliver, found } = setUp()
  const space = newSpace()
  const [oldest, middle, newest] = [insert(space), insert(space), insert(space)]
  expect(await found(space)).toEqual([newest.id, middle.id])
  const removal = remove(space, newest.id)
  expect(await found(space)).toEqual([middle.id, oldest.id])
  deliver(removal)
  expect(await found(space)).toEqual([middle.id, oldest.id])
})

test('it does so, too, when its score was known without a look at its rows', async () => {
  const { newSpace, insert, remove, found } = setUp()
  const space = newSpace()
  // Whatever is not near has the score 0, however little is known of it.
  const stating = { ...CALIBRATION.stating, sharpness: 1_000 }
  const sharp = queryOf([1, 0, 0, 0, 0], { calibration: { ...CALIBRATION, stating } })
  const far = () => insert(space, [0, 1, 0, 0, 0])
  const [oldest, middle, newest] = [far(), far(), far()]
  expect(await found(space, sharp)).toEqual([newest.id, middle.id])
  remove(space, newest.id)
  expect(await found(space, sharp)).toEqual([middle.id, oldest.id])
})

test('the next best has its place however far it lies below the one that is gone', async () => {
  const { newSpace, insert, remove, found } = setUp()
  const space = newSpace()
  const far = insert(space, [0, 1, 0, 0, 0])
  const [near, gone] = [insert(space, [1, 0.1, 0, 0, 0]), insert(space, [1, 0.1, 0, 0, 0])]
  expect(await found(space)).toEqual([gone.id, near.id])
  remove(space, gone.id)
  expect(await found(space)).toEqual([near.id, far.id])
})

test('what happens in a space while its index is loaded is in it, though the rows there were read', async () => {
  const { newSpace, insert, remove, deliver, found } = setUp()
  const space = newSpace()
  // More than are read in one step, the newest first.
  for (let older = 0; older < 500; older += 1) insert(space)
  const [kept, gone] = [insert(space), insert(space)]
  const finding = found(space)
  const created = insert(space)
  deliver([...created.messages, ...remove(space, gone.id)])
  expect(await finding).toEqual([created.id, kept.id])
})

test('indexes that make room for others are loaded again, with what happened meanwhile', async () => {
  const { newSpace, insert, remove, deliver, found } = setUp({ bytesMax: 1 })
  const [one, other] = [newSpace(), newSpace()]
  const [first, foreign] = [insert(one), insert(other)]
  expect([await found(one), await found(other)]).toEqual([[first.id], [foreign.id]])
  const second = insert(one)
  deliver(second.messages)
  deliver(remove(one, first.id))
  expect([await found(one), await found(other), await found(one)]).toEqual([
    [second.id],
    [foreign.id],
    [second.id],
  ])
})

test('messages of a generation that was left change nothing, whenever they arrive', async () => {
  const { newSpace, insert, remove, deliver, found, moveToOther } = setUp()
  const space = newSpace()
  const [older, newer, gone] = [insert(space), insert(space), insert(space)]
  const removal = remove(space, gone.id)
  expect(await found(space)).toEqual([newer.id, older.id])
  const foundByOther = await moveToOther()
  const both = [
    [newer.id, 1],
    [older.id, 1],
  ]
  expect(await foundByOther(space)).toEqual(both)
  deliver([...gone.messages, ...newer.messages])
  expect(await foundByOther(space)).toEqual(both)
  deliver(removal)
  expect(await foundByOther(space)).toEqual(both)
})
