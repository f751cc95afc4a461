// Loads of indexes hold up nobody: each goes in slices of about equally many vectors, however long the texts
// are, and between any two slices other searches run.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { SearchIndex } from './index/search-index.ts'
import { commitByCommit } from './testing/commit-by-commit.ts'
import { Leaving } from './threads/leaving.ts'

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

test('a search that waits for the load of its space is not made when whoever asked has left', async () => {
  const { newSpace, insert, found } = commitByCommit()
  const space = newSpace()
  const { id } = insert(space)
  const leaving = new Leaving()
  const asked = [found(space), found(space, undefined, leaving)]
  leaving.leave()
  expect(await Promise.allSettled(asked)).toEqual([
    { status: 'fulfilled', value: [id] },
    { status: 'rejected', reason: expect.objectContaining({ name: 'AbortError' }) },
  ])
})

/** What all indexes take that are in memory at the moment, finished or not. */
function bytesInMemory(): () => number {
  const add = vi.spyOn(SearchIndex.prototype, 'add')
  const release = vi.spyOn(SearchIndex.prototype, 'release')
  onTestFinished(() => {
    for (const spy of [add, release]) spy.mockRestore()
  })
  return () => {
    const released = new Set(release.mock.contexts)
    const held = new Set(add.mock.contexts.filter((of) => of instanceof SearchIndex))
    return [...held.difference(released)].reduce((sum, { bytes }) => sum + bytes, 0)
  }
}

test('however many spaces are loaded at once, all but the first of them take no more room than indexes may', async () => {
  const sizeOf = bytesInMemory()
  const fill = ({ newSpace, insert, inOneCommit }: ReturnType<typeof commitByCommit>) => {
    const space = newSpace()
    inOneCommit(() => {
      for (let no = 0; no < 24; no += 1) insert(space, undefined, { sentences: SENTENCES })
    })
    return space
  }
  const one = commitByCommit()
  await one.load(fill(one))
  const bytes = sizeOf()
  const bytesMax = 2 * bytes
  const many = commitByCommit({ bytesMax })
  const spaces = Array.from({ length: 8 }, () => fill(many))
  for (const space of spaces.slice(0, 2)) await many.load(space)
  let isOver = false
  const loading = Promise.all(spaces.slice(2).map((space) => many.found(space))).finally(() => {
    isOver = true
  })
  let most = 0
  while (!isOver) {
    await nextTurn()
    most = Math.max(most, sizeOf() - bytes)
  }
  for (const found of await loading) expect(found).toHaveLength(2)
  // The last one that was searched stays, and a step may go a little beyond.
  expect(most).toBeLessThanOrEqual(bytesMax + 2.5 * bytes)
})

test('what was loaded before takes no room from what is loaded later', async () => {
  const { newSpace, insert, found, mayHave } = commitByCommit({ bytesMax: 100_000 })
  const spaces = Array.from({ length: 20 }, newSpace)
  for (const space of spaces) {
    const { id } = insert(space)
    expect(await found(space)).toEqual([id])
  }
  // Those that fit, and no other one.
  expect(spaces.slice(-3).map(mayHave)).toEqual([true, true, true])
  expect(spaces.slice(0, 3).map(mayHave)).toEqual([false, false, false])
})
