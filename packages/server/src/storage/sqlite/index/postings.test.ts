// The structures that stand for Maps of texts to sets of numbers, each beside such a Map.
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { newFolder } from '../testing/store-in-folder.ts'
import { bitsOf, countOf, Groups, listOf } from './groups.ts'
import { Identities } from './identities.ts'
import { KeyDictionary } from './key-dictionary.ts'
import { emptyList, NumberLists } from './number-lists.ts'
import { NumberMap } from './number-map.ts'
import { Postings } from './postings.ts'
import { CodeMemory } from './scan/code-memory.ts'
import { SnapshotReader, SnapshotWriter } from './snapshot-file.ts'
import { TermIndex } from './term-index.ts'

/** Of steps: by itself fast-check makes some ten, in which nothing is pushed aside or runs full. */
const MANY = { maxLength: 400, size: 'max' } as const

const ascending = (one: number, other: number): number => one - other
const text = fc.oneof(
  fc.constantFrom('', 'a', 'b', 'aa', '__proto__', '\u{1f600}'),
  fc.string({ unit: 'binary', maxLength: 8 }),
)

test('a dictionary has one number for each text, and gives numbers back', () => {
  const step = fc.record({ text, isAdding: fc.boolean() })
  fc.assert(
    fc.property(fc.array(step, { ...MANY }), (steps) => {
      const dictionary = new KeyDictionary()
      const known = new Map<string, number>()
      for (const { text: key, isAdding } of steps) {
        const number = known.get(key)
        expect(dictionary.find(key)).toBe(number)
        if (isAdding) known.set(key, dictionary.take(key))
        else if (number !== undefined) {
          dictionary.giveBack(number)
          known.delete(key)
        }
        if (isAdding && number !== undefined) expect(known.get(key)).toBe(number)
      }
      for (const [key, number] of known) expect(dictionary.find(key)).toBe(number)
      expect(new Set(known.values()).size, 'no number twice').toBe(known.size)
    }),
  )
})

test('texts of one length and one hash are told apart', () => {
  const dictionary = new KeyDictionary()
  // Of so many, strewn over their range, some ten pairs have the same 32 bits.
  const texts = Array.from({ length: 300_000 }, (_, one) =>
    (Math.imul(one, 0x9e3779b1) >>> 0).toString(36).padStart(7, '0'),
  )
  expect(new Set(texts.map((each) => dictionary.take(each))).size).toBe(texts.length)
  for (const [number, each] of texts.entries()) {
    if (dictionary.find(each) !== number) expect.unreachable(each)
  }
})

test('where texts stand is different in every process, and goes along with a copy', async () => {
  const texts = Array.from({ length: 200 }, (_, one) => `text ${one}`)
  const file = join(newFolder(), 'copy')
  const savedOf = (dictionary: KeyDictionary): Buffer => {
    const descriptor = openSync(file, 'w')
    dictionary.save(new SnapshotWriter(descriptor))
    closeSync(descriptor)
    return readFileSync(file)
  }
  vi.resetModules()
  const another = await import('./key-dictionary.ts')
  const [one, other] = [new KeyDictionary(), new another.KeyDictionary()]
  for (const dictionary of [one, other]) for (const each of texts) dictionary.take(each)
  const saved = savedOf(one)
  expect(savedOf(other)).not.toEqual(saved)
  writeFileSync(file, saved)
  const reader = new SnapshotReader(file)
  const restored = new another.KeyDictionary()
  restored.restore(reader)
  reader.close()
  expect(texts.map((each) => restored.find(each))).toEqual([...texts.keys()])
  expect(savedOf(restored)).toEqual(saved)
})

test('a dictionary through which very many texts pass stays small', () => {
  const dictionary = new KeyDictionary()
  const passBy = (round: number): void => {
    const numbers = Array.from({ length: 500 }, (_, one) => dictionary.take(`${round} and ${one}`))
    for (const number of numbers) dictionary.giveBack(number)
  }
  passBy(0)
  const { bytes } = dictionary
  for (let round = 1; round < 50; round += 1) passBy(round)
  expect(dictionary.bytes).toBeLessThan(bytes * 2)
})

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

test('very many memories of the same text take a bit each, and not an entry that others have to pass', () => {
  const index = new TermIndex()
  const memories = 20_000
  for (let memory = 0; memory < memories; memory += 1) index.add(memory, ['=AAAAAAAAAAAAAAAA'])
  expect(index.sameAs('=AAAAAAAAAAAAAAAA')).toHaveLength(memories)
  expect(index.bytes).toBeLessThan(memories)
})

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

test('a memory gets the worth of a term once, whichever and however many of its forms it has', () => {
  const index = new TermIndex()
  const memory = new CodeMemory()
  for (let number = 0; number < 2_000; number += 1) {
    const forms = number % 2 === 0 ? ['48213', 'ord48213'] : number % 7 === 0 ? ['ord48213'] : []
    index.add(number, [...forms, ...(number === 9 ? ['tea'] : [])])
  }
  const points = memory.zeroPoints(2_048)
  const terms = [
    { forms: ['48213', 'ord48213', 'nowhere'], worth: 300 },
    { forms: ['tea'], worth: 7 },
    { forms: ['nowhere'], worth: 1_000 },
  ]
  index.addPoints(memory, { points, rows: 2_048 }, terms)
  const all = new Int16Array(memory.buffer, points, 2_048)
  for (let number = 0; number < 2_000; number += 1) {
    const expected = number % 2 === 0 || number % 7 === 0 ? 300 : 0
    expect(all[number]).toBe(expected + (number === 9 ? 7 : 0))
  }
})

test('points are added within their room, however much longer the bits of a term are', () => {
  const memory = new CodeMemory()
  const index = new TermIndex()
  const roomBytes = 65_536
  const rows = roomBytes / Int16Array.BYTES_PER_ELEMENT
  for (let number = 0; number < rows; number += 1) index.add(number, ['tea'])
  // The room for points is made the last one in the memory: whoever goes beyond it leaves the memory.
  memory.setBits(new Uint8Array(roomBytes))
  const end = memory.take(16) + 16
  memory.take(memory.buffer.byteLength - end - roomBytes)
  memory.zeroPoints(1)
  const points = memory.zeroPoints(rows)
  expect(points + roomBytes).toBe(memory.buffer.byteLength)
  index.addPoints(memory, { points, rows }, [{ forms: ['tea'], worth: 5 }])
  expect(new Set(new Int16Array(memory.buffer, points, rows))).toEqual(new Set([5]))
})
