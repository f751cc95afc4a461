// A search that takes long holds up nobody: it goes in slices, between which other searches run and the log
// is cut, and what is deleted meanwhile is not found.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { SearchQuery } from '../../retrieval/evidence.ts'
import { queryOf, termOf } from '../conformance/records.ts'
import type { IndexChange } from './index/tables/indexed.ts'
import { SpaceTables } from './index/tables/space-tables.ts'
import { commitByCommit, OUTDATED } from './testing/commit-by-commit.ts'
import { Leaving } from './threads/leaving.ts'

/** Time goes by with the steps of searches alone: what takes more than some goes in slices. */
function countTimeInSteps(): void {
  let steps = 0
  const now = vi.spyOn(performance, 'now').mockImplementation(() => {
    steps += 1
    return steps
  })
  onTestFinished(() => now.mockRestore())
}

function queryOfParts(count: number): SearchQuery {
  const query = queryOf([1, 0, 0, 0, 0])
  return { ...query, parts: Array.from({ length: count }, () => query.parts).flat() }
}

/** Of as many parts as make it long. */
const LONG = queryOfParts(50)

/** Of each memory that is inserted the vector is a little farther from the query. */
const farther = (step: number): number[] => [1, step / 2_000_000, 0, 0.1, 0.2]

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

test('it ends about as soon, though again and again one is deleted that was ranked', async () => {
  countTimeInSteps()
  const turnsOf = async (isDeleting: boolean): Promise<number> => {
    const { newSpace, insert, remove, deliver, found } = commitByCommit()
    const space = newSpace()
    const ids: string[] = []
    for (let no = 0; no < 300; no += 1) ids.push(insert(space, farther(no)).id)
    await found(space)
    let isOver = false
    const finding = found(space, queryOfParts(12)).finally(() => {
      isOver = true
    })
    let turns = 0
    for (; turns < 200 && !isOver; turns += 1) {
      if (isDeleting && turns % 10 === 9) {
        deliver(remove(space, ids.shift() ?? ''))
        deliver(insert(space, farther(0)).messages)
      }
      await nextTurn()
    }
    await finding
    return turns
  }
  const alone = await turnsOf(false)
  expect(alone).toBeGreaterThan(20)
  expect(await turnsOf(true)).toBeLessThan(1.5 * alone)
})

test.each([
  ['heard of', true],
  ['not heard of', false],
])(
  'where all that is near is deleted meanwhile, and that is %s, what is far is found',
  async (_what, isHeardOf) => {
    countTimeInSteps()
    const { newSpace, insert, remove, inOneCommit, deliver, found } = commitByCommit()
    const space = newSpace()
    const far = [1, 2].map(() => insert(space, [0, 1, 0, 0, 0]).id)
    const near: string[] = []
    inOneCommit(() => {
      for (let no = 0; no < 600; no += 1) near.push(insert(space, farther(no)).id)
    })
    await found(space)
    const finding = found(space, LONG)
    // All have been compared, and none was read.
    for (let turns = 0; turns < 7; turns += 1) await nextTurn()
    inOneCommit(() => {
      for (const id of near) {
        const messages = remove(space, id)
        if (isHeardOf) deliver(messages)
      }
    })
    expect(await finding).toEqual(far.toReversed())
  },
)

test('one whose index makes room for another meanwhile finds what it would have found', async () => {
  countTimeInSteps()
  const { newSpace, insert, remove, found } = commitByCommit({ bytesMax: 1 })
  const [space, other] = [newSpace(), newSpace()]
  const ids: string[] = []
  for (let no = 0; no < 300; no += 1) ids.push(insert(space, [1, no / 20, 0, 0.1, 0.2]).id)
  const foreign = insert(other, [0, 0, 0, 0, 1])
  await found(space)
  const finding = found(space, LONG)
  await nextTurn()
  expect(await found(other)).toEqual([foreign.id])
  // Nobody hears of it: there is no index any more.
  remove(space, ids[0] ?? '')
  expect(await finding).toEqual([ids[1], ids[2]])
})

test('a change that was sent for an index that is gone is in none that is loaded for a search that waited', async () => {
  countTimeInSteps()
  const sent: IndexChange[] = []
  const { newSpace, insert, remove, deliver, found, scores, mayHave } = commitByCommit({
    bytesMax: 1,
    takeIn: () => deliver(sent.splice(0)),
  })
  const [space, other] = [newSpace(), newSpace()]
  const query = queryOf([0, 1, 0, 0, 0], { terms: [termOf('coffe'), termOf('tea')] })
  const known = insert(space, undefined, { hasWords: true })
  const before = await scores(space, query)
  // The second waits until the first is over.
  const finding = [found(space, LONG), found(space, LONG)]
  const loading = found(other)
  const gone = insert(space, undefined, { hasWords: true })
  if (mayHave(space)) sent.push(...gone.messages)
  await loading
  expect(mayHave(space)).toBe(false)
  // So nobody hears of it.
  remove(space, gone.id)
  expect(await Promise.all(finding)).toEqual([[known.id], [known.id]])
  deliver(sent.splice(0))
  expect(await scores(space, query)).toEqual(before)
})

test('the memory of an index is free again after a search in it took long, and when one is refused', async () => {
  countTimeInSteps()
  const { newSpace, insert, found, growOther } = commitByCommit({ bytesMax: 1 })
  const [space, other] = [newSpace(), newSpace()]
  insert(space)
  insert(other)
  const release = vi.spyOn(SpaceTables.prototype, 'release')
  onTestFinished(() => release.mockRestore())
  await found(space, LONG)
  expect(release).toHaveBeenCalledTimes(0)
  await found(other)
  expect(release).toHaveBeenCalledTimes(1)
  const { switchOver, foundByOther } = await growOther()
  const refused = expect(found(other, LONG)).rejects.toMatchObject(OUTDATED)
  await nextTurn()
  switchOver()
  await foundByOther(other)
  await refused
  expect(release).toHaveBeenCalledTimes(2)
})

test('one search that takes long is under way at a time', async () => {
  countTimeInSteps()
  const { newSpace, insert, found } = commitByCommit()
  const [loud, quiet] = [newSpace(), newSpace()]
  for (const space of [loud, quiet]) {
    insert(space)
    await found(space)
  }
  const ended: string[] = []
  await Promise.all([
    found(loud, LONG).then(() => ended.push('longer')),
    found(quiet, queryOfParts(20)).then(() => ended.push('shorter')),
  ])
  expect(ended).toEqual(['longer', 'shorter'])
})

test('one whose caller has left while it waits for its turn is not made, and the one under way is', async () => {
  countTimeInSteps()
  const { newSpace, insert, found } = commitByCommit()
  const space = newSpace()
  const known = insert(space)
  await found(space)
  const leaving = new Leaving()
  const underWay = found(space, LONG)
  const gone = found(space, LONG, leaving)
  const next = found(space, LONG)
  await nextTurn()
  leaving.leave()
  await expect(gone).rejects.toThrow('aborted')
  expect(await Promise.all([underWay, next])).toEqual([[known.id], [known.id]])
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
