// Compares texts and their members with a Map of sets, and checks the reported size.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { KeyDictionary } from '../packed/key-dictionary.ts'
import { emptyList, NumberLists } from '../packed/number-lists.ts'
import { bitsOf, countOf, listOf } from './groups.ts'
import { Postings } from './postings.ts'

const ascending = (one: number, other: number): number => one - other

/** Numbers in many sizes: from one to nearly all, so that there are lists, bits, and both. */
const membersOf = fc
  .record({ from: fc.nat(3_000), step: fc.constantFrom(1, 3, 50), count: fc.nat(1_500) })
  .map(({ from, step, count }) => Array.from({ length: count }, (_, one) => from + one * step))

test('a text has its members, few or many, until they are removed', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), membersOf, fc.boolean()), { maxLength: 6 }),
      (steps) => {
        const postings = new Postings()
        const known = new Map<string, Set<number>>()
        for (const [key, members, isAdding] of steps) {
          const set = known.get(key) ?? new Set()
          known.set(key, set)
          for (const member of members) {
            if (isAdding && !set.has(member)) postings.add(key, member)
            if (!isAdding) postings.remove(key, member)
            if (isAdding) set.add(member)
            else set.delete(member)
          }
        }
        for (const [key, set] of known) {
          const members = postings.members(key)
          expect(postings.count(key)).toBe(set.size)
          expect(members === undefined).toBe(set.size === 0)
          const list = [...set].toSorted(ascending)
          if (members === undefined) continue
          expect([...listOf(members)].toSorted(ascending)).toEqual(list)
          expect(countOf(members)).toBe(list.length)
          expect([...listOf({ bits: bitsOf(members) })]).toEqual(list)
        }
      },
    ),
  )
})

test('what is said of its size is what texts, lists, columns and bits take', () => {
  const [postings, keys, lists] = [new Postings(), new KeyDictionary(), new NumberLists()]
  for (let member = 0; member < 1_000; member += 1) {
    keys.take(`text ${member}`)
    lists.add(emptyList(), member)
    postings.add(`text ${member}`, member)
  }
  const ofColumns = postings.bytes - keys.bytes - lists.bytes
  expect(ofColumns).toBeGreaterThanOrEqual(3 * 4 * 1_000)
  expect(ofColumns).toBeLessThan(2 * 3 * 4 * 1_000)

  const all = Array.from({ length: 64_000 }, (_, member) => member)
  for (const member of all) postings.add('text 0', member + 1_000)
  const withBits = postings.bytes
  for (const member of all) postings.remove('text 0', member + 1_000)
  expect(postings.bytes).toBe(withBits)
  postings.remove('text 0', 0)
  expect(postings.bytes).toBeLessThanOrEqual(withBits - 65_000 / 8)
})
