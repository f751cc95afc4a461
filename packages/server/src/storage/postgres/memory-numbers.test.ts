import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { Database } from './connection/database.ts'
import { MemoryNumbers } from './memory-numbers.ts'
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
