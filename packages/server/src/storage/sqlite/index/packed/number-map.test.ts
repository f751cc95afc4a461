// Compares the map of numbers with a Map.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NumberMap } from './number-map.ts'

/** Of steps: by itself fast-check makes some ten, in which nothing is pushed aside or runs full. */
const MANY = { maxLength: 400, size: 'max' } as const

test('a map of numbers has the value of a key until it is removed', () => {
  const key = fc.oneof(fc.nat(20), fc.maxSafeNat())
  const step = fc.record({ key, value: fc.nat(5), isAdding: fc.boolean() })
  fc.assert(
    fc.property(fc.array(step, { ...MANY }), (steps) => {
      const map = new NumberMap()
      const known = new Map<number, number>()
      for (const { isAdding, key: each, value } of steps) {
        if (isAdding && !known.has(each)) {
          map.add(each, value)
          known.set(each, value)
        } else if (!isAdding) {
          map.remove(each, value)
          if (known.get(each) === value) known.delete(each)
        }
      }
      expect(map.size).toBe(known.size)
      for (const { key: asked } of steps) expect(map.find(asked)).toBe(known.get(asked))
    }),
  )
})
