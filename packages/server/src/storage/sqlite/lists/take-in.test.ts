// Compares a list with an array of all living memories, whichever of them still wait to be taken in; and no
// step of taking them in is too large for the log.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { passes } from '../../conformance/oracle.ts'
import { memoryOf, NO_RECEIPT, pieceOf } from '../../conformance/records.ts'
import { MODEL, newKey } from '../../conformance/subject.ts'
import type { MemoryRecord, SpaceId } from '../../records.ts'
import type { MemoryFilter } from '../../store.ts'
import { memoryReads } from '../memories.ts'
import { countsAreRight } from '../testing/counts-are-right.ts'
import { groupedWrites, type WriterCall } from '../testing/grouped-writes.ts'
import { unlistedMemories } from './take-in.ts'

const FEW = ['a', 'b', 'c'] as const

/** A database with two spaces. Nothing is taken into lists but by `takeIn`. */
function setUp() {
  const { db, commit: commitTogether } = groupedWrites()
  const commit = (...call: WriterCall): void => {
    expect(commitTogether(call)[0]).not.toHaveProperty('failure')
  }
  commit('adoptModel', MODEL)
  for (const key of [newKey(), newKey()]) commit('insertKey', key)
  const spaces = db.prepare<[], SpaceId>('SELECT space_no FROM keys ORDER BY 1').pluck().all()
  return {
    db,
    spaces,
    ...unlistedMemories(db),
    page: memoryReads(db).page,
    insert: (space: SpaceId | undefined, memory: MemoryRecord) =>
      commit('insertMemory', space, memory, [pieceOf(memory.content)], NO_RECEIPT, 1),
    remove: (space: SpaceId | undefined, id: string) =>
      commit('removeMemory', space, id, NO_RECEIPT),
    listed: () => db.prepare('SELECT tag FROM memory_tags').pluck().all(),
  }
}

const few = fc.constantFrom(...FEW)
const operation = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('insert' as const),
      space: fc.nat(1),
      user: few,
      agent: fc.option(few, { nil: undefined }),
      tags: fc.uniqueArray(few),
      createdAt: fc.integer({ min: 1, max: 4 }),
    }),
  },
  fc.record({ kind: fc.constant('remove' as const), target: fc.nat(30) }),
  fc.record({ kind: fc.constant('take in' as const), memories: fc.integer({ min: 1, max: 4 }) }),
)
const filter: fc.Arbitrary<MemoryFilter> = fc.record(
  { userId: few, agentId: few, tags: fc.uniqueArray(few) },
  { requiredKeys: [] },
)

const isNewer = (one: MemoryRecord, other: MemoryRecord): number =>
  other.createdAt - one.createdAt || (one.id < other.id ? 1 : -1)

test('a list is the same whichever of its memories wait to be taken into it', () => {
  fc.assert(
    fc.property(
      fc.array(operation, { maxLength: 30 }),
      fc.array(filter, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 4 }),
      (operations, filters, limit) => {
        const { db, spaces, takeIn, page, insert, remove } = setUp()
        const alive: { space: SpaceId | undefined; memory: MemoryRecord }[] = []
        for (const each of operations) {
          if (each.kind === 'take in') takeIn(each.memories)
          if (each.kind === 'remove' && alive.length > 0) {
            const [gone] = alive.splice(each.target % alive.length, 1)
            remove(gone?.space, gone?.memory.id ?? '')
          }
          if (each.kind === 'insert') {
            const { user, agent, tags, createdAt } = each
            const memory = memoryOf({ userId: user, agentId: agent, tags, createdAt })
            alive.push({ space: spaces[each.space], memory })
            insert(spaces[each.space], memory)
          }
        }
        expect(countsAreRight(db)).toBe(true)
        for (const space of spaces) {
          const memories = alive.flatMap((each) => (each.space === space ? [each.memory] : []))
          for (const asked of filters) {
            const expected = memories.filter((memory) => passes(memory, asked)).sort(isNewer)
            for (let number = 1; (number - 1) * limit <= expected.length; number += 1) {
              const items = expected.slice((number - 1) * limit, number * limit)
              const found = page(space, asked, { page: number, limit })
              expect(found).toEqual({ items, total: expected.length })
            }
          }
        }
      },
    ),
    { numRuns: 150 },
  )
})

test('the oldest are taken in first, so many as are asked for, and then none wait', () => {
  const { spaces, count, takeIn, insert, listed } = setUp()
  for (const tag of FEW) insert(spaces[0], memoryOf({ tags: [tag] }))
  expect(count()).toBe(3)
  expect(takeIn(2)).toBe(2)
  expect(listed()).toEqual(['a', 'b'])
  expect(takeIn(2)).toBe(1)
  expect(takeIn(2)).toBe(0)
  expect(count()).toBe(0)
  expect(listed()).toEqual(['a', 'b', 'c'])
})

test('no more are taken in than are asked for, in whatever order spaces have got theirs', () => {
  const { spaces, count, takeIn, insert } = setUp()
  for (const space of [1, 0, 1, 0, 0]) insert(spaces[space], memoryOf())
  for (const left of [4, 3, 2, 1, 0]) {
    expect(takeIn(1)).toBe(1)
    expect(count()).toBe(left)
  }
})

test('a tag of whatever characters is taken in as it is, lists its memory, and goes with it', () => {
  const { spaces, takeIn, insert, remove, page, listed } = setUp()
  const [space] = spaces
  if (space === undefined) throw new Error('There is no space.')
  const words = ['Work', 'é', 'e\u0301', '😀', ' a ', '%_', "it's", '"quoted"', 'a\\b', '\\u0041']
  const signs = ['\u0001', '\t', '\u007f', '\u2028', '\ufeff', '\uffff']
  const json = ['2024', '1e3', '-0', 'true', 'null', '[]', '{}']
  const memory = memoryOf({ tags: [...words, ...signs, ...json] })
  insert(space, memory)
  takeIn(1)
  expect(listed().toSorted()).toEqual(memory.tags.toSorted())
  for (const tag of memory.tags) {
    expect(page(space, { tags: [tag] }, { page: 1, limit: 1 }).items).toEqual([memory])
  }
  remove(space, memory.id)
  expect(listed()).toEqual([])
})

test('memories of very many lists are taken in by several commits, each of which fits into the log', () => {
  const { spaces, takeIn, insert, listed } = setUp()
  const tags = (memory: number) => Array.from({ length: 50 }, (_, tag) => `${memory} ${tag}`)
  const memories = 100
  for (let memory = 0; memory < memories; memory += 1) {
    insert(spaces[0], memoryOf({ tags: tags(memory) }))
  }
  // 12 MiB of pages of 8 KiB, with 50 tags and a user for each memory.
  expect(takeIn(memories)).toBe(31)
  while (takeIn(memories) > 0);
  expect(listed()).toHaveLength(memories * 50)
})

test('a user, an agent and a tag are lists of their own in each space', () => {
  const { spaces, takeIn, insert } = setUp()
  for (const space of spaces) {
    for (let memory = 0; memory < 300; memory += 1) {
      const name = String(memory)
      insert(space, memoryOf({ userId: name, agentId: name, tags: [name] }))
    }
  }
  // 12 MiB of pages of 8 KiB, three for each memory.
  expect(takeIn(600)).toBe(512)
  expect(takeIn(600)).toBe(88)
})

test('long memories are taken in by several commits as well, a page for each', () => {
  const { spaces, takeIn, insert } = setUp()
  // More than a page together, and neither by itself.
  const content = 'x'.repeat(5_000)
  const long = { content, metadata: JSON.stringify({ content }) }
  for (let memory = 0; memory < 1_600; memory += 1) insert(spaces[0], memoryOf(long))
  expect(takeIn(1_600)).toBe(1_536)
  expect(takeIn(1_600)).toBe(64)
})
