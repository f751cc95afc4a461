// Loads of indexes hold up nobody: each goes in slices of about equally many vectors, however long the texts
// are, and between any two slices other searches run.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { SearchIndex } from './index/search-index.ts'
import { commitByCommit } from './testing/commit-by-commit.ts'

/** A long text has as many. */
const SENTENCES = 150
const LONG_TEXTS = 40

/** How many memories have come into an index since the last look. */
function countAdded(): () => number {
  const add = vi.spyOn(SearchIndex.prototype, 'add')
  onTestFinished(() => add.mockRestore())
  return () => {
    const { length } = add.mock.calls
    add.mockClear()
    return length
  }
}

test('between a few long texts of a space that is loaded, others are searched', async () => {
  const { newSpace, insert, load, found } = commitByCommit()
  const [long, quiet] = [newSpace(), newSpace()]
  const other = insert(quiet)
  await found(quiet)
  for (let no = 0; no < LONG_TEXTS; no += 1) insert(long, undefined, { sentences: SENTENCES })
  const added = countAdded()
  let isOver = false
  const loading = load(long).finally(() => {
    isOver = true
  })
  const slices: number[] = []
  while (!isOver) {
    await nextTurn()
    slices.push(added())
    expect(await found(quiet)).toEqual([other.id])
  }
  await loading
  expect(Math.max(...slices)).toBe(4)
  expect(slices.reduce((sum, count) => sum + count)).toBe(LONG_TEXTS)
  expect(await found(long)).toHaveLength(2)
})

test('however many spaces are loaded at once, others are searched after a step of one of them', async () => {
  const { newSpace, insert, load, found } = commitByCommit()
  const quiet = newSpace()
  const other = insert(quiet)
  await found(quiet)
  const loud = Array.from({ length: 20 }, newSpace)
  for (const space of loud) insert(space)
  const added = countAdded()
  let isOver = false
  const loading = Promise.all(loud.map((space) => load(space))).finally(() => {
    isOver = true
  })
  let spaces = 0
  while (!isOver) {
    await nextTurn()
    const count = added()
    expect(count).toBeLessThanOrEqual(1)
    spaces += count
    expect(await found(quiet)).toEqual([other.id])
  }
  await loading
  expect(spaces).toBe(loud.length)
})
