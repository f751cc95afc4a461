// Compares lists that share a buffer with arrays.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { emptyList, NumberLists } from './number-lists.ts'

/** Of steps: by itself fast-check makes some ten, in which nothing is pushed aside or runs full. */
const MANY = { maxLength: 400, size: 'max' } as const
const ascending = (one: number, other: number): number => one - other

test('lists hold what was added and not removed, however many share the room', () => {
  const step = fc.record({ list: fc.nat(3), entry: fc.nat(40), isAdding: fc.boolean() })
  fc.assert(
    fc.property(fc.array(step, { ...MANY }), (steps) => {
      const lists = new NumberLists()
      const all = Array.from({ length: 4 }, () => ({ list: emptyList(), entries: [] as number[] }))
      for (const { list, entry, isAdding } of steps) {
        const one = all[list]
        if (one === undefined) continue
        const place = one.entries.indexOf(entry)
        if (isAdding) {
          lists.add(one.list, entry)
          one.entries.push(entry)
        } else {
          expect(lists.remove(one.list, entry)).toBe(place >= 0)
          if (place >= 0) one.entries.splice(place, 1)
        }
      }
      for (const { list, entries } of all) {
        expect([...lists.read(list)].toSorted(ascending)).toEqual(entries.toSorted(ascending))
      }
    }),
  )
})
