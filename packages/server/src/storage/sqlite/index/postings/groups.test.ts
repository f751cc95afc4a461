// Compares what a filter lets pass with a plain filter over arrays.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Groups, listOf } from './groups.ts'

const ascending = (one: number, other: number): number => one - other

test('a filter lets those pass that all of its groups have in common', () => {
  const memory = fc.record({
    userId: fc.constantFrom('ann', 'ben'),
    agentId: fc.constantFrom('ann', undefined),
    tags: fc.subarray(['one', 'two', 'ann']),
  })
  const filter = fc.record(
    {
      userId: fc.constantFrom('ann', 'nobody'),
      agentId: fc.constant('ann'),
      tags: fc.array(fc.constantFrom('one', 'two', 'ann', 'none'), { maxLength: 3 }),
    },
    { requiredKeys: [] },
  )
  const size = fc.constantFrom(3, 40, 3_000)
  fc.assert(
    fc.property(
      fc.tuple(size, fc.array(memory, { minLength: 1, maxLength: 7 }), fc.nat(99), filter),
      ([count, kinds, removed, { userId, agentId, tags = [] }]) => {
        const groups = new Groups()
        const kindOf = (number: number) => kinds[number % kinds.length] ?? {}
        for (let number = 0; number < count; number += 1) groups.add(number, kindOf(number))
        groups.remove(removed % count, kindOf(removed % count))
        const passing = groups.passing({ userId, agentId, tags })
        const isEverybody = userId === undefined && agentId === undefined && tags.length === 0
        expect(passing === undefined).toBe(isEverybody)
        if (passing === undefined) return
        const expected = Array.from({ length: count }, (_, number) => number).filter((number) => {
          const kind = kinds[number % kinds.length]
          return (
            number !== removed % count &&
            (userId === undefined || kind?.userId === userId) &&
            (agentId === undefined || kind?.agentId === agentId) &&
            tags.every((tag) => kind?.tags.includes(tag))
          )
        })
        expect([...listOf(passing)].toSorted(ascending)).toEqual(expected)
      },
    ),
  )
})
