// The lines of an import take the row of their key's month one after another. However long a commit takes,
// as on a disk behind a network, that is no reason for an import to end, and others find a connection.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, inject, onTestFinished, test } from 'vitest'
import { apiClient } from '../../testing/api-client.ts'
import { ImportConnection, importAll, toJsonLines } from '../../testing/import-client.ts'
import { administer, newDatabase } from '../../testing/postgres.ts'
import { startForwarder } from '../../testing/postgres-forwarder.ts'
import { runService } from '../../testing/running-service.ts'

const server = inject('postgresUrl')
/** All of them are under way at once, and take longer than anybody waits for a connection. */
const LINES = 200
const COMMIT_MS = 30
const TEST_MS_MAX = 60_000
/** Two time limits of a statement; one behind the other, the lines would need ten and more. */
const SILENCE_MS_MAX = 10_000

/** The row of a month is held that long with every write. */
const SLOW_COMMITS = `
  CREATE FUNCTION mnemograph.wait() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN PERFORM pg_sleep(${COMMIT_MS / 1_000}); RETURN NULL; END $$;
  CREATE TRIGGER slow AFTER INSERT OR UPDATE ON mnemograph.usage
    FOR EACH ROW EXECUTE FUNCTION mnemograph.wait()`

test.skipIf(server === undefined).each([
  ['without keys', () => undefined],
  ['with keys', (n: number) => `${n}`],
])(
  'an import into a database that commits slowly is stored whole: lines %s',
  async (_, keyOf) => {
    const database = await newDatabase(server ?? '')
    await administer(database.administratorUrl, SLOW_COMMITS)
    await using service = await runService({ settings: { DATABASE_URL: database.url } })
    const importer = await service.newKey()
    const reader = apiClient(service.address, (await service.newKey()).key)
    const lines = Array.from({ length: LINES }, (_, n) => ({
      content: `memory ${n}`,
      userId: 'u',
      idempotencyKey: keyOf(n),
    }))
    let hasEnded = false
    const importing = importAll(service.address, importer.key, toJsonLines(lines)).finally(() => {
      hasEnded = true
    })
    while (!hasEnded) {
      expect((await reader('GET', '/v1/memories/mem_none')).status).toBe(404)
      await sleep(50)
    }
    const summary = { created: LINES, repeated: 0, refused: 0 }
    expect((await importing).at(-1)).toEqual({ summary })
  },
  TEST_MS_MAX,
)

test.skipIf(server === undefined)(
  'an import whose database falls silent ends soon, however many of its lines wait',
  async () => {
    const database = await newDatabase(server ?? '')
    await administer(database.administratorUrl, SLOW_COMMITS)
    const way = await startForwarder(database.url)
    onTestFinished(() => way.close())
    await using service = await runService({ settings: { DATABASE_URL: way.url } })
    const lines = Array.from({ length: LINES }, (_, n) => ({ content: `memory ${n}`, userId: 'u' }))
    const connection = new ImportConnection(service.address, (await service.newKey()).key)
    await connection.sendLines(lines)
    await connection.next()
    way.swallow()
    const silentAtMs = performance.now()
    expect((await connection.rest()).at(-1)).toMatchObject({
      summary: { stopped: { code: 'SERVICE_UNAVAILABLE' } },
    })
    expect(performance.now() - silentAtMs).toBeLessThan(SILENCE_MS_MAX)
    connection.end()
    await way.close()
  },
  TEST_MS_MAX,
)
