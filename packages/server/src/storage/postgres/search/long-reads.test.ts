import { setTimeout as sleep } from 'node:timers/promises'
import { expect, inject, onTestFinished, test } from 'vitest'
import { entityOf, memoryOf, NO_RECEIPT, pieceOf, queryOf } from '../../conformance/records.ts'
import { ownedDatabase } from '../testing/owned-database.ts'

const server = inject('postgresUrl')

test.skipIf(server === undefined)(
  'while searches of one key use what they may and more of them wait, others read and write at once',
  async () => {
    const { store, generation, newSpace, ask } = await ownedDatabase(server ?? '')
    const [loud, quiet] = [store.forSpace(await newSpace()), store.forSpace(await newSpace())]
    const memory = memoryOf()
    await quiet.memories.insert(memory, [pieceOf(memory.content)], NO_RECEIPT, generation)
    // What searches alone read, held by somebody else: each of them takes as long as a statement may.
    await ask('BEGIN; LOCK TABLE term_counts')
    onTestFinished(async () => void (await ask('ROLLBACK')))
    const query = queryOf([1, 0, 0, 0, 0])
    let ended = 0
    const search = () =>
      loud.memories.search(query, {}, { limit: 1, threshold: 0 }, generation).finally(() => {
        ended += 1
      })
    const searches = Promise.all(Array.from({ length: 20 }, search))
    await sleep(200)
    expect((await quiet.memories.find(memory.id))?.id).toBe(memory.id)
    await quiet.entities.insert(entityOf(), NO_RECEIPT)
    expect(ended).toBe(0)
    await ask('ROLLBACK')
    expect(await searches).toHaveLength(20)
  },
)
