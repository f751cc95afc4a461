import { expect, test } from 'vitest'
import { TAGS_MAX } from '../../../contract/bounds.ts'
import { memoryOf, NO_RECEIPT, pieceOf } from '../../conformance/records.ts'
import { subjectOf } from '../../conformance/subject.ts'
import { newFolder, openIn } from '../testing/store-in-folder.ts'

/** Planned as joins, one list by all tags takes seconds. */
const LISTS_OF_EACH_SIZE = 5

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
