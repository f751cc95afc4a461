// A start that has to bring the store to another schema first says so, since nothing is answered meanwhile.
import { expect, test, vi } from 'vitest'
import { SCHEMA_VERSION } from './storage/sqlite/migrations/migrate.ts'
import { databaseFile } from './storage/sqlite/opening/data-folder.ts'
import { openDatabase } from './storage/sqlite/opening/open-database.ts'
import { openEarlier } from './storage/sqlite/testing/earlier-store.ts'
import { newFolder } from './testing/new-folder.ts'
import { runService } from './testing/running-service.ts'

/** The folder of a store that the first version has left. */
function oldFolder(): string {
  const directory = newFolder()
  openEarlier(directory, 1).close()
  return directory
}

test('of an older store a start says what it does before it does it, and of a new one nothing', async () => {
  for (const [directory, told] of [
    [oldFolder(), [{ from: 1, to: SCHEMA_VERSION }]],
    [newFolder(), []],
  ] as const) {
    const upgrades: unknown[] = []
    const versionWhenFlushed = vi.fn(() => {
      const db = openDatabase(databaseFile(directory))
      const version = db.pragma('user_version', { simple: true })
      db.close()
      return version
    })
    const logTo = {
      write(line: string) {
        if (line.includes('the store is brought to the schema')) upgrades.push(JSON.parse(line))
      },
      flushSync: versionWhenFlushed,
    }
    const settings = { MNEMOGRAPH_LOG_LEVEL: 'info' }
    await using _ = await runService({ directory, settings, logTo })
    expect(upgrades).toMatchObject(told)
    expect(versionWhenFlushed.mock.results).toMatchObject(told.map(({ from }) => ({ value: from })))
  }
})
