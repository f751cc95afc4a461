import { expect, test } from 'vitest'
import { TAGS_MAX } from '../../contract/bounds.ts'
import { memoryOf, NO_RECEIPT, pieceOf } from '../conformance/records.ts'
import { subjectOf } from '../conformance/subject.ts'
import { newFolder, openIn } from './testing/store-in-folder.ts'

/** On two busy cores; planned as joins, one of these lists takes seconds. */
const LISTS_MS_MAX = 2_000

test('a list by as many tags as there may be holds up nobody, whatever was listed before', async () => {
  const store = await openIn(newFolder())
  const { memories } = await subjectOf(store).newSpace()
  const tags = Array.from({ length: TAGS_MAX }, (_, number) => `tag ${number}`)
  const memory = memoryOf({ tags, agentId: 'agent' })
  await memories.insert(memory, [pieceOf(memory.content)], NO_RECEIPT)
  const { userId, agentId } = memory
  const beginMs = performance.now()
  for (let left = 1; left <= TAGS_MAX; left += 1) {
    const filter = { tags: tags.slice(0, left), ...(left % 2 === 0 ? { userId, agentId } : {}) }
    const { total } = await memories.page(filter, { page: 1, limit: 1 })
    expect(total).toBe(1)
  }
  expect(performance.now() - beginMs).toBeLessThan(LISTS_MS_MAX)
})
