import { setTimeout as sleep } from 'node:timers/promises'
import { expect, inject, onTestFinished, test } from 'vitest'
import { entityOf, memoryOf, NO_RECEIPT, pieceOf, queryOf } from '../conformance/records.ts'
import { type SpaceId, StoreOverloaded } from '../store.ts'
import { LongReads } from './long-reads.ts'
import { ownedDatabase } from './testing/owned-database.ts'

const server = inject('postgresUrl')
const [LOUD, QUIET] = [1 as SpaceId, 2 as SpaceId]
/** One of them is kept free. */
const CONNECTIONS = { connectionsMax: 2, waitMsMax: 60_000 }

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

test('spaces take turns, and each in its order', async () => {
  const reads = new LongReads(CONNECTIONS)
  const begun: string[] = []
  const read = (space: SpaceId, name: string) =>
    reads.run(space, async () => {
      begun.push(name)
      await sleep(1)
    })
  const loud = ['a', 'b', 'c', 'd'].map((name) => read(LOUD, name))
  await Promise.all([...loud, read(QUIET, 'quiet'), read(QUIET, 'quiet too')])
  expect(begun).toEqual(['a', 'b', 'quiet', 'c', 'quiet too', 'd'])
})

test('a turn that does not come in time is refused, takes nobody else along, and is free later', async () => {
  const reads = new LongReads({ ...CONNECTIONS, waitMsMax: 20 })
  const end = Promise.withResolvers<string>()
  const first = reads.run(LOUD, () => end.promise)
  const late = [LOUD, LOUD, QUIET].map((space) => reads.run(space, async () => 'read'))
  for (const each of late) await expect(each).rejects.toBeInstanceOf(StoreOverloaded)
  const next = reads.run(QUIET, async () => 'next')
  end.resolve('first')
  expect(await Promise.all([first, next])).toEqual(['first', 'next'])
  await expect(reads.run(LOUD, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  expect(await reads.run(LOUD, async () => 'again')).toBe('again')
})
