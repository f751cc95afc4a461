// Between two turns of one asker everybody else who waits has a turn; the tasks of one asker keep their
// order, and none is lost. Five askers come in any order.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FairQueue } from './fair-queue.ts'

type Asked = { asker: number; order: number }

const asked = fc
  .array(fc.nat({ max: 4 }))
  .map((askers) => askers.map((asker, order): Asked => ({ asker, order })))

function filled(some: readonly Asked[]): FairQueue<Asked> {
  const queue = new FairQueue<Asked>()
  for (const item of some) queue.add(item, item.asker)
  return queue
}

test('what one asks for leaves in its order, and nothing is lost', () => {
  fc.assert(
    fc.property(asked, (some) => {
      const queue = filled(some)
      const given = some.map(() => queue.next())
      expect(queue.next()).toBeUndefined()
      expect(queue.length).toBe(0)
      for (const { asker } of some) {
        const own = (item: Asked | undefined) => item?.asker === asker
        expect(given.filter(own)).toEqual(some.filter(own))
      }
    }),
  )
})

test('between two of one asker everybody else who waits has one', () => {
  fc.assert(
    fc.property(asked, (some) => {
      const queue = filled(some)
      const given = some.flatMap(() => queue.next() ?? [])
      for (const [place, { asker }] of given.entries()) {
        const again = given.findIndex((item, later) => later > place && item.asker === asker)
        if (again === -1) continue
        const between = given.slice(place + 1, again).map((item) => item.asker)
        const waiting = new Set(given.slice(again).map((item) => item.asker))
        waiting.delete(asker)
        expect(between).toEqual(expect.arrayContaining([...waiting]))
        expect(new Set(between).size).toBe(between.length)
      }
    }),
  )
})

test('the first is the one that comes next, and the length is how many are left', () => {
  fc.assert(
    fc.property(asked, (some) => {
      const queue = filled(some)
      for (let left = some.length; left > 0; left -= 1) {
        expect(queue.length).toBe(left)
        expect(queue.first).toBe(queue.next())
      }
      expect(queue.first).toBeUndefined()
    }),
  )
})

test('of the lowest rank comes the one whose turn it is, and without a rank none', () => {
  const rank = fc.option(fc.nat({ max: 2 }), { nil: undefined })
  fc.assert(
    fc.property(asked, fc.array(rank, { minLength: 5, maxLength: 5 }), (some, ranks) => {
      const queue = filled(some)
      const rankOf = ({ asker }: Asked) => ranks[asker]
      for (;;) {
        // Whose turn it is in front.
        const inTurn = queue.drain()
        for (const item of inTurn) queue.add(item, item.asker)
        const known = inTurn.flatMap((item) => rankOf(item) ?? [])
        const next = queue.next(rankOf)
        const lowest = Math.min(...known)
        expect(next).toBe(inTurn.find((item) => rankOf(item) === lowest))
        if (next === undefined) break
      }
      expect(queue.drain().every((item) => rankOf(item) === undefined)).toBe(true)
    }),
  )
})

test('what is dropped is the last thing of whoever has the most, of equals whose turn is last, and no turn is left empty', () => {
  fc.assert(
    fc.property(asked, (some) => {
      const queue = filled(some)
      const left = [...some]
      while (left.length > 0) {
        const ofAsker = (asker: number) => left.filter((item) => item.asker === asker)
        const most = Math.max(...left.map(({ asker }) => ofAsker(asker).length))
        const dropped = queue.dropLast()
        if (dropped === undefined) throw new Error('Something is left.')
        const own = ofAsker(dropped.asker)
        expect(own).toHaveLength(most)
        expect(dropped).toBe(own.at(-1))
        const inTurn = [...new Set(left.map((item) => item.asker))]
        expect(dropped.asker).toBe(inTurn.findLast((asker) => ofAsker(asker).length === most))
        left.splice(left.indexOf(dropped), 1)
      }
      expect(queue.dropLast()).toBeUndefined()
      const newcomer = { asker: -1, order: some.length }
      queue.add(newcomer, newcomer.asker)
      expect(queue.next()).toBe(newcomer)
      expect(queue.next()).toBeUndefined()
    }),
  )
})

test('what was called back is the next', () => {
  fc.assert(
    fc.property(asked, fc.nat({ max: 4 }), (some, asker) => {
      const queue = filled(some)
      const back = { asker, order: -1 }
      queue.putBack(back, asker)
      expect(queue.next()).toBe(back)
      expect(queue.drain()).toHaveLength(some.length)
      expect(queue.length).toBe(0)
    }),
  )
})

test('what is removed does not come, and all else does, in its order', () => {
  fc.assert(
    fc.property(asked, fc.nat(), (some, choice) => {
      const removed = some[choice % some.length]
      if (removed === undefined) return
      const queue = filled(some)
      queue.remove(removed, removed.asker)
      queue.remove(removed, removed.asker)
      expect(queue.length).toBe(some.length - 1)
      const given = some.slice(1).flatMap(() => queue.next() ?? [])
      const inOrder = (items: readonly Asked[]) => Object.groupBy(items, ({ asker }) => asker)
      expect(inOrder(given)).toEqual(inOrder(some.filter((item) => item !== removed)))
      expect(queue.length).toBe(0)
    }),
  )
})

test('of more than are kept in order the oldest and the newest leave in turns, and others have theirs between', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 12 }), (kept, more) => {
      const queue = new FairQueue<number>(kept)
      const all = Array.from({ length: kept + more }, (_, order) => order)
      for (const order of all) queue.add(order, 'one')
      const left = [...all]
      for (let turn = 0; left.length > 0; turn += 1) {
        const next = left.length > kept && turn % 2 === 1 ? left.pop() : left.shift()
        queue.add(-1, 'other')
        expect(queue.first).toBe(next)
        expect(queue.next()).toBe(next)
        expect(queue.next()).toBe(-1)
      }
    }),
  )
})
