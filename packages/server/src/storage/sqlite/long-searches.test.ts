// That a search that takes long holds up nobody: it goes in slices, and between them others are
// searched, the log is cut, and what was deleted or left meanwhile is not found.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { queryOf } from '../conformance/records.ts'
import { commitByCommit, OUTDATED } from './testing/commit-by-commit.ts'

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
  const { newSpace, insert, found, canCutLog } = commitByCommit()
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
  const { newSpace, insert, remove, deliver, found } = commitByCommit()
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
  const { newSpace, insert, found, growOther } = commitByCommit()
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
