// Compares which memories have the same text with a Map.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { listOf } from './groups.ts'
import { Identities } from './identities.ts'

/** Of steps: by itself fast-check makes some ten, in which nothing is pushed aside or runs full. */
const MANY = { maxLength: 400, size: 'max' } as const
const ascending = (one: number, other: number): number => one - other

test('memories of the same text are found until each is removed', () => {
  const identity = fc.constantFrom('=AAAAAAAAAAAAAAAA', '=AAAAAAAABBBBBBBB', '=CCCCCCCCCCCCCCCC')
  const step = fc.record({ identity, memory: fc.nat(8), isAdding: fc.boolean() })
  fc.assert(
    fc.property(fc.array(step, { ...MANY }), (steps) => {
      const identities = new Identities()
      const known = new Map<number, string>()
      for (const { isAdding, identity: each, memory } of steps) {
        if (isAdding && !known.has(memory)) {
          identities.add(each, memory)
          known.set(memory, each)
        } else if (!isAdding) {
          // Its own, if it has one: it is removed as it was added.
          identities.remove(known.get(memory) ?? each, memory)
          known.delete(memory)
        }
      }
      for (const { identity: asked } of steps) {
        // The second one has the same beginning as the first.
        const same = [...known].filter(([, each]) => each.slice(0, 9) === asked.slice(0, 9))
        const found = [...listOf(identities.members(asked))]
        expect(found.toSorted(ascending)).toEqual(same.map(([no]) => no).toSorted(ascending))
      }
    }),
  )
})
