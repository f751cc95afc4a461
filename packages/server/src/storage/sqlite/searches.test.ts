// How the indexes in memory follow the rows, whatever the moment at which one is loaded. Commits
// and the messages about them are played out one by one here.
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import { CALIBRATION, memoryOf, NO_RECEIPT, pieceOf, queryOf } from '../conformance/records.ts'
import { MODEL, newKey } from '../conformance/subject.ts'
import type { MemoryFilter, SpaceId } from '../store.ts'
import type { IndexChange } from './index/indexed.ts'
import { IndexedSpaces } from './index/indexed-spaces.ts'
import { CodeMemory } from './index/scan/code-memory.ts'
import { migrate } from './migrate.ts'
import { openDatabase } from './open-database.ts'
import { reembedding } from './reembedding.ts'
import { searches } from './searches.ts'
import { newFolder } from './testing/store-in-folder.ts'
import { openWrites } from './writes.ts'

const QUERY = queryOf([1, 0, 0, 0, 0])
const CUT = { limit: 2, threshold: 0 }
/** More memories than are read in one step of a load. */
const SEVERAL_STEPS = 500
const OUTDATED = { name: 'StoreError', kind: 'outdated' }

function setUp({ bytesMax }: { bytesMax?: number } = {}) {
  const db = openDatabase(join(newFolder(), 'a.db'))
  onTestFinished(() => void db.close())
  migrate(db)
  const changes: IndexChange[] = []
  const writes = openWrites(db, changes).procedures
  const { number: generation } = writes.adoptModel(MODEL)
  const indexed = new IndexedSpaces()
  const { apply, expect: expectSearch, search } = searches(db, { bytesMax, indexed })
  const newSpace = (): SpaceId => {
    const key = newKey()
    writes.insertKey(key)
    const select = db.prepare<[string], SpaceId>('SELECT space_no FROM keys WHERE id = ?').pluck()
    return select.get(key.id) ?? (0 as SpaceId)
  }
  return {
    newSpace,
    /** Whether nobody reads a moment that is over. */
    canCutLog(): boolean {
      const other = openDatabase(db.name)
      const [{ busy }] = other.pragma('wal_checkpoint(TRUNCATE)') as [{ busy: number }]
      other.close()
      return busy === 0
    },
    mayHave: (space: SpaceId) => indexed.mayHave(space),
    inOneCommit: (work: () => void) => db.transaction(work)(),
    /** Commits; the message about it is the caller's to deliver. */
    insert(space: SpaceId, vector?: number[], { userId = 'anna', of = generation } = {}) {
      const memory = memoryOf({ userId })
      writes.insertMemory(space, memory, [pieceOf('', vector)], NO_RECEIPT, of)
      return { id: memory.id, messages: changes.splice(0) }
    },
    remove(space: SpaceId, id: string) {
      writes.removeMemory(space, id, NO_RECEIPT)
      return changes.splice(0)
    },
    deliver: (messages: IndexChange[]) => messages.forEach(apply),
    /** Makes vectors of three numbers instead of five, and what moves to them within one turn. */
    async growOther() {
      const mover = reembedding(db, async () => undefined)
      const { number } = await mover.begin({ ...MODEL, id: 'other', dimension: 3 })
      const missing = await mover.missing({ memoriesMax: 1_000, charactersMax: Infinity })
      await mover.add(missing.map(({ ref }) => ({ ref, pieces: [pieceOf('', [1, 0, 0])] })))
      const switchOver = (): void => {
        db.exec(`UPDATE generations SET state = 'retired' WHERE state = 'current';
          UPDATE generations SET state = 'current' WHERE state = 'growing'`)
      }
      const foundByOther = async (space: SpaceId, filter: MemoryFilter = {}) =>
        (await search(space, queryOf([1, 0, 0]), filter, CUT, number)).map(({ id, score }) => [
          id,
          score,
        ])
      return { number, switchOver, foundByOther }
    },
    load: (space: SpaceId, of = generation) => expectSearch(space, QUERY, of),
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
  // The newest are read first.
  for (let older = 0; older < SEVERAL_STEPS; older += 1) insert(space)
  const [kept, gone] = [insert(space), insert(space)]
  // Two that ask at the same time wait for one load.
  const finding = [found(space), found(space)]
  const created = insert(space)
  deliver([...created.messages, ...remove(space, gone.id)])
  const both = [created.id, kept.id]
  expect(await Promise.all(finding)).toEqual([both, both])
})

test('a space that is expected to be searched is loaded by then, and once', async () => {
  const { newSpace, insert, load, found } = setUp()
  const space = newSpace()
  const known = insert(space)
  await load(space)
  // Nobody tells the index of it, so only one that was loaded later would have it.
  insert(space)
  await load(space)
  expect(await found(space)).toEqual([known.id])
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

test('where memory cannot hold a change its index goes, and others are searched as before', async () => {
  const { newSpace, insert, deliver, found, load } = setUp()
  const [full, other, loading] = [newSpace(), newSpace(), newSpace()]
  const inOther = insert(other)
  await found(full)
  await found(other)
  const loaded = load(loading)
  const [first, second] = [insert(full), insert(loading)]
  const take = vi.spyOn(CodeMemory.prototype, 'take').mockImplementation(() => {
    throw new RangeError('said the test')
  })
  deliver([...first.messages, ...second.messages])
  take.mockRestore()
  await expect(loaded).rejects.toThrow('said the test')
  expect(await found(other)).toEqual([inOther.id])
  expect(await found(full)).toEqual([first.id])
  expect(await found(loading)).toEqual([second.id])
})

test('an empty space is loaded again as others are, after it made room or after a switch', async () => {
  const { newSpace, insert, found, growOther } = setUp({ bytesMax: 1 })
  const [empty, other] = [newSpace(), newSpace()]
  expect([await found(empty), await found(other)]).toEqual([[], []])
  const created = insert(empty)
  expect([await found(empty), await found(other)]).toEqual([[created.id], []])
  const { switchOver, foundByOther } = await growOther()
  switchOver()
  expect(await foundByOther(other)).toEqual([])
})

test('messages of a generation that was left change nothing, whenever they arrive', async () => {
  const { newSpace, insert, remove, deliver, found, growOther } = setUp()
  const space = newSpace()
  const [older, newer, gone] = [insert(space), insert(space), insert(space)]
  const removal = remove(space, gone.id)
  expect(await found(space)).toEqual([newer.id, older.id])
  const { switchOver, foundByOther } = await growOther()
  switchOver()
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

test('nor do they bring a vector of that generation into an index that is just loaded', async () => {
  const { newSpace, insert, deliver, growOther } = setUp()
  const space = newSpace()
  // Read last, since it is the oldest.
  const late = insert(space, [0, 1, 0, 0, 0], { userId: 'bob' })
  for (let newer = 0; newer < SEVERAL_STEPS; newer += 1) insert(space)
  const { switchOver, foundByOther } = await growOther()
  switchOver()
  const finding = foundByOther(space, { userId: 'bob' })
  deliver(late.messages)
  expect(await finding).toEqual([[late.id, 1]])
})

test('messages of a generation that is searched only later are in what is found then', async () => {
  const { newSpace, insert, remove, deliver, found, growOther } = setUp()
  const space = newSpace()
  const [kept, gone] = [insert(space), insert(space)]
  expect(await found(space)).toEqual([gone.id, kept.id])
  const { number, switchOver, foundByOther } = await growOther()
  switchOver()
  const created = insert(space, [1, 0, 0], { of: number })
  deliver([...created.messages, ...remove(space, gone.id)])
  expect(await foundByOther(space)).toEqual([
    [created.id, 1],
    [kept.id, 1],
  ])
})

test('an index whose load began before a switch answers no search after it', async () => {
  const { newSpace, insert, found, growOther } = setUp()
  const [space, other] = [newSpace(), newSpace()]
  // Read last, since it is the oldest.
  const oldest = insert(space, undefined, { userId: 'bob' })
  for (let newer = 0; newer < SEVERAL_STEPS; newer += 1) insert(space)
  const foreign = insert(other)
  const { switchOver, foundByOther } = await growOther()
  const refused = expect(found(space)).rejects.toMatchObject(OUTDATED)
  switchOver()
  expect(await foundByOther(other)).toEqual([[foreign.id, 1]])
  await refused
  expect(await foundByOther(space, { userId: 'bob' })).toEqual([[oldest.id, 1]])
})

test('a search with vectors that are not in use is refused, and the indexes stay loaded', async () => {
  const { newSpace, insert, load, found, growOther } = setUp()
  const space = newSpace()
  const known = insert(space)
  const { number, switchOver, foundByOther } = await growOther()
  switchOver()
  expect(await foundByOther(space)).toEqual([[known.id, 1]])
  // Nobody tells the index of it, so only one that was loaded anew would have it.
  insert(space, [1, 0, 0], { of: number })
  await expect(found(space)).rejects.toMatchObject(OUTDATED)
  await expect(load(space)).rejects.toMatchObject(OUTDATED)
  expect(await foundByOther(space)).toEqual([[known.id, 1]])
})

test('the changes of a space are to be sent from before its rows are read until its index is gone', async () => {
  const { newSpace, insert, found, mayHave } = setUp({ bytesMax: 1 })
  const [space, other] = [newSpace(), newSpace()]
  for (let older = 0; older < SEVERAL_STEPS; older += 1) insert(space)
  insert(other)
  expect(mayHave(space)).toBe(false)
  const finding = found(space)
  expect([mayHave(space), mayHave(other)]).toEqual([true, false])
  await finding
  expect(mayHave(space)).toBe(true)
  await found(other)
  expect([mayHave(space), mayHave(other)]).toEqual([false, true])
})

test('nor are they after a switch, whether an index was there or was just being loaded', async () => {
  const { newSpace, insert, found, mayHave, growOther } = setUp()
  const [loaded, loading, third] = [newSpace(), newSpace(), newSpace()]
  for (let older = 0; older < SEVERAL_STEPS; older += 1) insert(loading)
  for (const space of [loaded, third]) insert(space)
  const { switchOver, foundByOther } = await growOther()
  await found(loaded)
  const refused = expect(found(loading)).rejects.toMatchObject(OUTDATED)
  switchOver()
  await foundByOther(third)
  await refused
  expect([loaded, loading, third].map(mayHave)).toEqual([false, false, true])
})

test('a search finds what was committed before it, though changes that need not be sent are not', async () => {
  const step = fc.record({
    kind: fc.constantFrom('insert', 'remove', 'search', 'begin to search', 'wait'),
    place: fc.nat(2),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      // There is room for the index of one space.
      const { newSpace, insert, remove, inOneCommit, deliver, found, mayHave } = setUp({
        bytesMax: 1,
      })
      const large = { space: newSpace(), ids: [] as string[] }
      const spaces = [large, ...[1, 2].map(() => ({ space: newSpace(), ids: [] as string[] }))]
      const sent: IndexChange[] = []
      const begun: Promise<unknown>[] = []
      const commit = (messages: IndexChange[]): void => {
        sent.push(...messages.filter(({ space }) => mayHave(space)))
      }
      const search = (space: SpaceId): Promise<string[]> => {
        deliver(sent.splice(0))
        return found(space)
      }
      const create = ({ space, ids }: { space: SpaceId; ids: string[] }): void => {
        const { id, messages } = insert(space)
        ids.unshift(id)
        commit(messages)
      }
      inOneCommit(() => {
        for (let older = 0; older < SEVERAL_STEPS; older += 1) create(large)
      })
      for (const { kind, place } of steps) {
        const { space, ids } = spaces[place] ?? large
        if (kind === 'insert') create({ space, ids })
        else if (kind === 'remove') {
          const id = ids.shift()
          if (id !== undefined) commit(remove(space, id))
        } else if (kind === 'search') expect(await search(space)).toEqual(ids.slice(0, CUT.limit))
        else if (kind === 'begin to search') begun.push(search(space))
        else await nextTurn()
      }
      await Promise.all(begun)
    }),
    { numRuns: 40 },
  )
})

/** Time goes by with the steps of searches alone: what takes more than some goes in slices. */
function countTimeInSteps(): void {
  let steps = 0
  const now = vi.spyOn(performance, 'now').mockImplementation(() => {
    steps += 1
    return steps
  })
  onTestFinished(() => now.mockRestore())
}

/** Of as many parts as make it long. */
const LONG = queryOf([1, 0, 0, 0, 0])
LONG.parts = Array.from({ length: 50 }, () => LONG.parts).flat()

test('while one search takes long, others are answered, and the log can be cut', async () => {
  countTimeInSteps()
  const { newSpace, insert, found, canCutLog } = setUp()
  const [loud, quiet] = [newSpace(), newSpace()]
  const [known, other] = [insert(loud), insert(quiet)]
  await found(quiet)
  let isOver = false
  const long = found(loud, LONG).finally(() => {
    isOver = true
  })
  for (let turns = 0; turns < 4; turns += 1) {
    await nextTurn()
    expect(await found(quiet)).toEqual([other.id])
    expect(canCutLog()).toBe(true)
    expect(isOver).toBe(false)
  }
  expect(await long).toEqual([known.id])
})

test('what is deleted while a search takes long leaves its place to the next best', async () => {
  countTimeInSteps()
  const { newSpace, insert, remove, deliver, found } = setUp()
  const space = newSpace()
  const [oldest, middle, newer, newest] = [1, 2, 3, 4].map(() => insert(space))
  if (!oldest || !middle || !newer || !newest) throw new Error('There are four.')
  await found(space)
  const finding = found(space, LONG)
  await nextTurn()
  deliver(remove(space, newest.id))
  await nextTurn()
  // Nobody hears of it.
  remove(space, newer.id)
  expect(await finding).toEqual([middle.id, oldest.id])
})

test('a switch refuses the long search that goes on, and the one that waits for its turn', async () => {
  countTimeInSteps()
  const { newSpace, insert, found, growOther } = setUp()
  const space = newSpace()
  insert(space)
  const { switchOver, foundByOther } = await growOther()
  await found(space)
  const refused = [LONG, LONG].map((query) =>
    expect(found(space, query)).rejects.toMatchObject(OUTDATED),
  )
  await nextTurn()
  switchOver()
  expect(await foundByOther(space)).toHaveLength(1)
  await Promise.all(refused)
})
