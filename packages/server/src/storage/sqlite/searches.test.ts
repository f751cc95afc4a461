// How the indexes in memory follow the rows, whatever the moment at which one is loaded. Commits
// and the messages about them are played out one by one here.
import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import { CALIBRATION, queryOf } from '../conformance/records.ts'
import type { SpaceId } from '../records.ts'
import { CodeMemory } from './index/scan/code-memory.ts'
import { SearchIndex } from './index/search-index.ts'
import type { IndexChange } from './index/tables/indexed.ts'
import { CUT, commitByCommit, SEVERAL_STEPS } from './testing/commit-by-commit.ts'

test('messages that arrive after the load that already saw their rows change nothing', async () => {
  const { newSpace, insert, remove, deliver, found } = commitByCommit()
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
  const { newSpace, insert, remove, deliver, found } = commitByCommit()
  const space = newSpace()
  const [oldest, middle, newest] = [insert(space), insert(space), insert(space)]
  expect(await found(space)).toEqual([newest.id, middle.id])
  const removal = remove(space, newest.id)
  expect(await found(space)).toEqual([middle.id, oldest.id])
  deliver(removal)
  expect(await found(space)).toEqual([middle.id, oldest.id])
})

test('it does so, too, when its score was known without a look at its rows', async () => {
  const { newSpace, insert, remove, found } = commitByCommit()
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
  const { newSpace, insert, remove, found } = commitByCommit()
  const space = newSpace()
  const far = insert(space, [0, 1, 0, 0, 0])
  const [near, gone] = [insert(space, [1, 0.1, 0, 0, 0]), insert(space, [1, 0.1, 0, 0, 0])]
  expect(await found(space)).toEqual([gone.id, near.id])
  remove(space, gone.id)
  expect(await found(space)).toEqual([near.id, far.id])
})

test('what happens in a space while its index is loaded is in it, though the rows there were read', async () => {
  const { newSpace, insert, remove, deliver, found } = commitByCommit()
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
  const { newSpace, insert, load, found } = commitByCommit()
  const space = newSpace()
  const known = insert(space)
  await load(space)
  // Nobody tells the index of it, so only one that was loaded later would have it.
  insert(space)
  await load(space)
  expect(await found(space)).toEqual([known.id])
})

test('indexes that make room for others are loaded again, with what happened meanwhile', async () => {
  const { newSpace, insert, remove, deliver, found } = commitByCommit({ bytesMax: 1 })
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
  const { newSpace, insert, deliver, found, load, mayHave } = commitByCommit()
  const [full, other, loading] = [newSpace(), newSpace(), newSpace()]
  const inOther = insert(other)
  await found(full)
  await found(other)
  for (let older = 0; older < SEVERAL_STEPS; older += 1) insert(loading)
  const add = vi.spyOn(SearchIndex.prototype, 'add')
  onTestFinished(() => add.mockRestore())
  const loaded = load(loading)
  while (add.mock.calls.length === 0) await nextTurn()
  const first = insert(full)
  // More than there is room for without any more memory.
  const others = Array.from({ length: 20 }, () => insert(loading))
  const makeRoom = withoutRoom()
  deliver([first, ...others].flatMap(({ messages }) => messages))
  makeRoom()
  expect([mayHave(full), mayHave(other)]).toEqual([false, true])
  await expect(loaded).rejects.toThrow('said the test')
  expect(mayHave(loading)).toBe(false)
  expect(await found(other)).toEqual([inOther.id])
  expect(await found(full)).toEqual([first.id])
  expect(await found(loading)).toContain(others.at(-1)?.id)
})

test('where memory cannot hold what came before a load began, the load fails, and the next one may not', async () => {
  const { newSpace, insert, deliver, found, load, mayHave } = commitByCommit()
  const space = newSpace()
  const loaded = load(space)
  const { id, messages } = insert(space)
  const makeRoom = withoutRoom()
  deliver(messages)
  await expect(loaded).rejects.toThrow('said the test')
  makeRoom()
  expect(mayHave(space)).toBe(false)
  expect(await found(space)).toEqual([id])
})

/** Until the returned function is called. */
function withoutRoom(): () => void {
  const take = vi.spyOn(CodeMemory.prototype, 'take').mockImplementation(() => {
    throw new RangeError('said the test')
  })
  return () => take.mockRestore()
}

test('an empty space is loaded again as others are, after it made room or after a switch', async () => {
  const { newSpace, insert, found, growOther } = commitByCommit({ bytesMax: 1 })
  const [empty, other] = [newSpace(), newSpace()]
  expect([await found(empty), await found(other)]).toEqual([[], []])
  const created = insert(empty)
  expect([await found(empty), await found(other)]).toEqual([[created.id], []])
  const { switchOver, foundByOther } = await growOther()
  switchOver()
  expect(await foundByOther(other)).toEqual([])
})

test('the changes of a space are to be sent from before its rows are read until its index is gone', async () => {
  const { newSpace, insert, found, mayHave } = commitByCommit({ bytesMax: 1 })
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

test('a search finds what was committed before it, though changes that need not be sent are not', async () => {
  const step = fc.record({
    kind: fc.constantFrom('insert', 'remove', 'search', 'begin to search', 'wait'),
    place: fc.nat(2),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      // There is room for the index of one space.
      const { newSpace, insert, remove, inOneCommit, deliver, found, mayHave } = commitByCommit({
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
