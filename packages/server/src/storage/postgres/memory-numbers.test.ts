import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { memoryOf, NO_RECEIPT, pieceOf } from '../conformance/records.ts'
import type { Store } from '../store.ts'
import { Database } from './connection/database.ts'
import { MemoryNumbers } from './memory-numbers.ts'
import { openStoreAt } from './testing/open-store-at.ts'
import { ownedDatabase } from './testing/owned-database.ts'

const server = inject('postgresUrl')

test.skipIf(server === undefined)(
  'numbers are used at once or never: a new primary may not know that they were taken',
  async () => {
    const { ask, options } = await ownedDatabase(server ?? '')
    const database = new Database({
      url: options.url,
      role: 'mnemograph_service',
      connectionsMax: 2,
    })
    onTestFinished(() => database.close())
    let nowMs = 10_000
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
    onTestFinished(() => clock.mockRestore())
    const numbers = new MemoryNumbers(database)
    const first = await numbers.next()
    expect(await numbers.next()).toBe(first + 1)
    // As on another server.
    await ask("SELECT setval('memory_numbers', 1000000)")
    nowMs += 2_000
    expect(await numbers.next()).toBe(1_000_001)
    expect(await numbers.next()).toBe(1_000_002)
  },
)

test.skipIf(server === undefined)(
  'numbers that a new primary has given to another instance meanwhile cost a create nothing',
  async () => {
    const { ask, generation, newSpace, options, store } = await ownedDatabase(server ?? '')
    const space = await newSpace()
    const another = await openStoreAt(options.url, 2)
    onTestFinished(() => another.close())
    const create = async (of: Store): Promise<void> => {
      const memory = memoryOf()
      const pieces = [pieceOf(memory.content)]
      await of.forSpace(space).memories.insert(memory, pieces, NO_RECEIPT, generation)
    }
    await create(store)
    // As a standby that became the primary before it heard that they were taken.
    await ask("SELECT setval('memory_numbers', 1)")
    // More than a create would try one by one.
    for (let n = 0; n < 8; n += 1) await create(another)
    for (let n = 0; n < 3; n += 1) await create(store)
    expect(await ask('SELECT no FROM memories')).toHaveLength(12)
  },
)
