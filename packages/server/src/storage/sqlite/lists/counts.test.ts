// Counts are those of the rows after any operations, however they are grouped and whichever fail.
// countsAreRight judges that; the last cases see that it finds damage, and that a start mends it.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newFolder } from '../../../testing/new-folder.ts'
import { passes } from '../../conformance/oracle.ts'
import { entityOf, memoryOf, NO_RECEIPT, pieceOf, relationOf } from '../../conformance/records.ts'
import { MODEL, newKey, subjectOf } from '../../conformance/subject.ts'
import type { SpaceId } from '../../records.ts'
import { memoryReads } from '../memories.ts'
import { databaseFile } from '../opening/data-folder.ts'
import { openDatabase } from '../opening/open-database.ts'
import { countsAreRight } from '../testing/counts-are-right.ts'
import { groupedWrites, type WriterCall } from '../testing/grouped-writes.ts'
import { openIn } from '../testing/store-in-folder.ts'
import { unlistedMemories } from './take-in.ts'

const FEW = ['a', 'b', 'c'] as const

/** A database with two spaces, and calls that are committed in one group. */
function setUp() {
  const { db, commit } = groupedWrites()
  commit(['adoptModel', MODEL], ['insertKey', newKey()], ['insertKey', newKey()])
  const spaces = db.prepare<[], SpaceId>('SELECT space_no FROM keys ORDER BY 1').pluck().all()
  return { db, commit, spaces }
}

const few = fc.constantFrom(...FEW)
const operation = fc.record({
  space: fc.nat(1),
  kind: fc.constantFrom('memory', 'entity', 'relation', 'again', 'remove', 'nonsense'),
  user: few,
  agent: fc.option(few, { nil: undefined }),
  tags: fc.uniqueArray(few),
  target: fc.nat(20),
})
type Operation = typeof operation extends fc.Arbitrary<infer Value> ? Value : never

test('counts are those of the rows after any operations, whichever of them fail', () => {
  fc.assert(
    fc.property(fc.array(fc.array(operation, { maxLength: 6 }), { maxLength: 8 }), (groups) => {
      const { db, commit, spaces } = setUp()
      const made = [newRecords(), newRecords()] as const
      for (const group of groups) {
        commit(...group.map((each) => toCall(each, { spaces, made })))
        expect(countsAreRight(db)).toBe(true)
      }
    }),
    { numRuns: 60 },
  )
})

type Records = { memories: ReturnType<typeof memoryOf>[]; entities: ReturnType<typeof entityOf>[] }
const newRecords = (): Records => ({ memories: [], entities: [] })

function toCall(
  { kind, user, agent, tags, target, ...operation }: Operation,
  { spaces, made }: { spaces: SpaceId[]; made: readonly [Records, Records] },
): WriterCall {
  const space = spaces[operation.space]
  const { memories, entities } = made[operation.space === 0 ? 0 : 1]
  const insertion = (memory: (typeof memories)[number]): WriterCall => {
    memories.push(memory)
    return ['insertMemory', space, memory, [pieceOf(memory.content)], NO_RECEIPT, 1]
  }
  const memory = memories[target % Math.max(1, memories.length)]
  const entity = entities[target % Math.max(1, entities.length)]
  const other = entities[0]
  if (kind === 'memory') return insertion(memoryOf({ userId: user, agentId: agent, tags }))
  // An identity that is taken: it fails in the midst of a group.
  if (kind === 'again' && memory) return insertion({ ...memory, tags })
  if (kind === 'entity') {
    const added = entityOf()
    entities.push(added)
    return ['insertEntity', space, added, NO_RECEIPT]
  }
  if (kind === 'relation' && entity && other) {
    const ends = { sourceId: entity.id, targetId: other.id }
    return ['insertRelation', space, relationOf(ends, { type: user }), NO_RECEIPT]
  }
  if (kind === 'remove' && entity && target % 2 === 0) {
    return ['removeEntity', space, entity.id, NO_RECEIPT]
  }
  if (kind === 'remove' && memory) return ['removeMemory', space, memory.id, NO_RECEIPT]
  return ['nonsense']
}

test('totals of filters with several groups stay right while memories come and go', () => {
  const { db, commit, spaces } = setUp()
  const [space] = spaces
  if (space === undefined) throw new Error('There is no space.')
  const { page } = memoryReads(db)
  const { takeIn } = unlistedMemories(db)
  const alive: ReturnType<typeof memoryOf>[] = []
  const filters = [
    { tags: ['a', 'b'] },
    { userId: 'a', tags: ['b'] },
    { userId: 'a', agentId: 'b' },
    { userId: 'b', agentId: 'a', tags: ['a', 'c'] },
  ]
  const add = (number: number) => {
    const bits = (number * 2_654_435_761) >>> 8
    const tags = FEW.filter((_, index) => ((bits >> index) & 1) === 1)
    const [userId, agentId] = [FEW[(bits >> 4) % 2], FEW[(bits >> 5) % 2]]
    const memory = memoryOf({ userId: userId ?? 'a', agentId, tags })
    alive.push(memory)
    commit(['insertMemory', space, memory, [pieceOf('')], NO_RECEIPT, 1])
  }
  const remove = () => {
    const memory = alive.splice(Math.floor(alive.length / 2), 1)[0]
    commit(['removeMemory', space, memory?.id ?? '', NO_RECEIPT])
  }
  const expectTotals = () => {
    for (const filter of filters) {
      const passing = alive.filter((memory) => passes(memory, filter))
      const { total, items } = page(space, filter, { page: 2, limit: 7 })
      expect(total).toBe(passing.length)
      expect(items).toEqual(passing.toReversed().slice(7, 14))
    }
  }
  for (let number = 0; number < 900; number += 1) {
    add(number)
    if (number % 250 === 249) takeIn(200)
    if (number % 100 === 99) expectTotals()
  }
  for (let round = 0; round < 20; round += 1) {
    if (round % 3 === 0) remove()
    if (round % 3 !== 1) add(1_000 + round)
    if (round % 5 === 0) takeIn(40)
    expectTotals()
  }
})

test.each([
  ['wrong', "UPDATE counts SET count = 7 WHERE kind = 'memories'"],
  ['missing', "DELETE FROM counts WHERE kind = 'memories with tag' AND value = 'a'"],
  ['too much', "INSERT INTO counts SELECT no, 'memories of user', 'nobody', 1 FROM spaces"],
])('a count that is %s is made anew by the next start', async (_, damage) => {
  const directory = newFolder()
  const store = await openIn(directory)
  const { spaceId, memories } = await subjectOf(store).newSpace()
  for (const tags of [['a'], ['a', 'b']]) {
    await memories.insert(memoryOf({ tags }), [pieceOf('')], NO_RECEIPT)
  }
  await store.close()
  const db = openDatabase(databaseFile(directory))
  expect(db.prepare(damage).run().changes).toBe(1)
  expect(countsAreRight(db)).toBe(false)
  db.close()
  const again = (await openIn(directory)).forSpace(spaceId)
  const totalOf = async (filter: { tags?: string[]; userId?: string }) =>
    (await again.memories.page(filter, { page: 1, limit: 1 })).total
  expect(await totalOf({})).toBe(2)
  expect(await totalOf({ tags: ['a'] })).toBe(2)
  expect(await totalOf({ userId: 'nobody' })).toBe(0)
})
