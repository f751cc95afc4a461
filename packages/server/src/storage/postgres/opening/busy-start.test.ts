// A start loads most of the process once the store is there, and on a slow machine hears of nothing for
// longer than a connection may take. Then it must not take its own silence for that of the database.
import { expect, inject, onTestFinished, test } from 'vitest'
import { newDatabase } from '../../../testing/postgres.ts'
import { openPostgresStore } from '../open-store.ts'

const server = inject('postgresUrl')
const CONNECT_MS = 500

test.skipIf(server === undefined)(
  'what is asked of a store that was just opened is answered, however busy the process is then',
  async () => {
    const { url, drop } = await newDatabase(server ?? '')
    onTestFinished(drop)
    const failures: unknown[] = []
    const store = await openPostgresStore({
      url,
      durability: 'required',
      connectionsMax: 4,
      timeouts: { connectMs: CONNECT_MS, statementMs: 3_500, lockMs: 3_000 },
      onBackgroundError: (error) => failures.push(error),
    })
    onTestFinished(() => store.close())
    const current = store.generations.current()
    const busyUntilMs = performance.now() + 2 * CONNECT_MS
    while (performance.now() < busyUntilMs);
    expect(await current).toBeUndefined()
    expect(failures).toEqual([])
  },
)
