import { expect, test } from 'vitest'
import { TAGS_MAX } from '../../../contract/bounds.ts'
import { collectGarbage } from '../../../testing/collect-garbage.ts'
import { newFolder } from '../../../testing/new-folder.ts'
import { memoryOf, NO_RECEIPT, pieceOf } from '../../conformance/records.ts'
import { newKey, subjectOf } from '../../conformance/subject.ts'
import type { SpaceId } from '../../records.ts'
import { groupedWrites } from '../testing/grouped-writes.ts'
import { openIn } from '../testing/store-in-folder.ts'
import { ALL_MEMORIES, combinedTotals } from './memory-lists.ts'

/** Planned as joins, one list by all tags takes seconds. */
const LISTS_OF_EACH_SIZE = 5
const LISTS = 1_000
const FILTER_CHARACTERS = 50_000

test('a list by as many tags as there may be holds up nobody, whatever was listed before', async () => {
  const store = await openIn(newFolder())
  const { memories } = await subjectOf(store).newSpace()
  const tags = Array.from({ length: TAGS_MAX }, (_, number) => `tag ${number}`)
  const memory = memoryOf({ tags, agentId: 'agent' })
  await memories.insert(memory, [pieceOf(memory.content)], NO_RECEIPT)
  const { userId, agentId } = memory
  for (let no = 0; no < LISTS_OF_EACH_SIZE * TAGS_MAX; no += 1) {
    const some = tags.slice(0, 1 + (no % TAGS_MAX))
    const filter = { tags: some, ...(no % 2 === 0 ? { userId, agentId } : {}) }
    const { total } = await memories.page(filter, { page: 1, limit: 1 })
    expect(total).toBe(1)
  }
})

test('totals of a thousand lists are kept in little memory, whatever their filters', () => {
  const { db, commit } = groupedWrites()
  commit(['insertKey', newKey()])
  const space = db.prepare<[], SpaceId>('SELECT no FROM spaces').pluck().get()
  if (space === undefined) throw new Error('There is no space.')
  const totalOf = combinedTotals(db)
  const before = heapBytes()
  for (let no = 0; no < LISTS; no += 1) {
    const rows = 'long'.repeat(FILTER_CHARACTERS / 4)
    const walk = { space, smallest: ALL_MEMORIES, size: 1_000, rows, values: [no] }
    expect(totalOf(walk, [], () => no)).toBe(no)
  }
  expect(heapBytes() - before).toBeLessThan((LISTS * FILTER_CHARACTERS) / 10)
})

function heapBytes(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}
