// After a switch to other vectors nothing is found by the former ones, whatever was being loaded, reported or
// searched at the moment of the switch.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { collectGarbage } from '../../testing/collect-garbage.ts'
import { CodeMemory } from './index/scan/code-memory.ts'
import { commitByCommit, OUTDATED, SEVERAL_STEPS } from './testing/commit-by-commit.ts'

test('messages of a generation that was left change nothing, whenever they arrive', async () => {
  const { newSpace, insert, remove, deliver, found, growOther } = commitByCommit()
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
  const { newSpace, insert, deliver, growOther } = commitByCommit()
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
  const { newSpace, insert, remove, deliver, found, growOther } = commitByCommit()
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
  const { newSpace, insert, found, growOther } = commitByCommit()
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
  const { newSpace, insert, load, found, growOther } = commitByCommit()
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

test('changes of a space need not be sent after a switch, whether an index was there or was just being loaded', async () => {
  const { newSpace, insert, found, mayHave, growOther } = commitByCommit()
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

test('the memory of the codes of vectors that were left goes with them: those of another length have no use for it', async () => {
  const { newSpace, insert, found, growOther } = commitByCommit()
  const space = newSpace()
  const { id } = insert(space)
  const memory = await memoryTakenFor(() => found(space))
  const { switchOver, foundByOther } = await growOther()
  switchOver()
  expect(await foundByOther(space)).toEqual([[id, 1]])
  await nextTurn()
  collectGarbage()
  expect(memory.deref()).toBeUndefined()
})

async function memoryTakenFor(work: () => Promise<unknown>): Promise<WeakRef<CodeMemory>> {
  const take = vi.spyOn(CodeMemory.prototype, 'take')
  await work()
  const [memory] = take.mock.contexts.filter((of) => of instanceof CodeMemory)
  take.mockRestore()
  if (memory === undefined) throw new Error('No memory was taken.')
  return new WeakRef(memory)
}
