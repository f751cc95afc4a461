import { setTimeout as sleep } from 'node:timers/promises'
import { expect, inject, onTestFinished, test } from 'vitest'
import { entityOf, memoryOf, NO_RECEIPT, pieceOf, queryOf } from '../../conformance/records.ts'
import type { SpaceStore } from '../../store.ts'
import { ownedDatabase } from '../testing/owned-database.ts'

const server = inject('postgresUrl')

const query = queryOf([1, 0, 0, 0, 0])

test.skipIf(server === undefined).each<{
  name: string
  /** Which they alone read. */
  table: string
  read: (space: SpaceStore, generation: number) => Promise<unknown>
}>([
  {
    name: 'searches',
    table: 'term_counts',
    read: ({ memories }, generation) =>
      memories.search(query, {}, { limit: 1, threshold: 0 }, generation),
  },
  { name: 'counts', table: 'row_counts', read: ({ graph }) => graph.counts() },
])(
  'while $name of one key use what they may and more of them wait, others read and write at once',
  async ({ table, read }) => {
    const { store, generation, newSpace, ask } = await ownedDatabase(server ?? '')
    const [loud, quiet] = [store.forSpace(await newSpace()), store.forSpace(await newSpace())]
    const memory = memoryOf()
    await quiet.memories.insert(memory, [pieceOf(memory.content)], NO_RECEIPT, generation)
    // Held by somebody else: each of them takes as long as a statement may.
    await ask(`BEGIN; LOCK TABLE ${table}`)
    onTestFinished(async () => void (await ask('ROLLBACK')))
    let ended = 0
    const readOnce = () =>
      read(loud, generation).finally(() => {
        ended += 1
      })
    const reads = Promise.all(Array.from({ length: 20 }, readOnce))
    await sleep(200)
    expect((await quiet.memories.find(memory.id))?.id).toBe(memory.id)
    await quiet.entities.insert(entityOf(), NO_RECEIPT)
    expect(ended).toBe(0)
    await ask('ROLLBACK')
    expect(await reads).toHaveLength(20)
  },
)
