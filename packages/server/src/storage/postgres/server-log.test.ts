// What PostgreSQL's own log holds of callers' texts, where its owner has it write down statements. It stays
// there whatever is deleted later.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { apiClient } from '../../testing/api-client.ts'
import { administer, hasPostgres, newEmptyDatabase, startCluster } from '../../testing/postgres.ts'
import { runService } from '../../testing/running-service.ts'

const CANARY = 'quibbleworth'

test.skipIf(!hasPostgres())(
  'a log of all statements has texts, and none once the database is told to leave out values',
  async () => {
    const settings = { logging_collector: 'on', log_min_duration_statement: '0' }
    const cluster = await startCluster({ settings })
    onTestFinished(() => cluster.remove())
    const folder = join(cluster.folder, 'data', 'log')
    const logged = () => readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
    const { url } = await newEmptyDatabase(cluster.url)
    const name = new URL(url).pathname.slice(1)

    async function useTexts(text: string): Promise<void> {
      await using service = await runService({ settings: { DATABASE_URL: url } })
      const call = apiClient(service.address, (await service.newKey()).key)
      const json = { content: text, userId: text, tags: [text], metadata: { text } }
      expect((await call('POST', '/v1/memories', { json })).status).toBe(201)
      const found = await call('POST', '/v1/memories/search', { json: { query: text } })
      expect(found).toMatchObject({ status: 200, body: { results: [{ content: text }] } })
      const entity = { name: text, type: 'OTHER', description: text }
      expect((await call('POST', '/v1/entities', { json: entity })).status).toBe(201)
      expect((await call('GET', `/v1/entities?search=${text}`)).status).toBe(200)
      expect((await call('GET', `/v1/memories?userId=${text}`)).status).toBe(200)
    }

    await useTexts(`${CANARY}before`)
    await expect.poll(() => logged().join('')).toContain(`${CANARY}before`)
    await administer(cluster.url, `ALTER DATABASE ${name} SET log_parameter_max_length = 0`)
    await useTexts(`${CANARY}after`)
    await administer(cluster.url, "SELECT 'the end of it'")
    await expect.poll(() => logged().join('')).toContain('the end of it')
    expect(logged().join('')).not.toContain(`${CANARY}after`)
  },
)
