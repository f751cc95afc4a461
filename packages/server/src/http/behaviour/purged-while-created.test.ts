// A create can be admitted long before its text is embedded. When its key is revoked and its space
// purged meanwhile, nothing of it is stored, and its caller hears what the next one hears.
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { apiClient } from '../../testing/api-client.ts'
import { setUpConsole } from '../../testing/console-client.ts'
import { fakeEmbedder } from '../../testing/fake-embedder.ts'
import { newDatabase } from '../../testing/postgres.ts'
import { runService } from '../../testing/running-service.ts'

const server = inject('postgresUrl')

/** Embeds nothing until it is let go. */
function heldEmbedder() {
  const embedder = fakeEmbedder()
  const held = Promise.withResolvers<void>()
  let begun = 0
  return {
    letGo: held.resolve,
    begun: () => begun,
    embedder: {
      ...embedder,
      async embedMemory(content: string) {
        begun += 1
        await held.promise
        return embedder.embedMemory(content)
      },
    },
  }
}

async function databaseOfTest(): Promise<Record<string, string>> {
  const { url, drop } = await newDatabase(server ?? '')
  onTestFinished(drop)
  return { DATABASE_URL: url }
}

describe.each([
  ['the embedded store', true, async () => ({})],
  ['the shared store', server !== undefined, databaseOfTest],
])('%s', (_, isThere, settingsOf) => {
  test.skipIf(!isThere)('what is being created while its space is purged is refused', async () => {
    const { embedder, begun, letGo } = heldEmbedder()
    const service = await runService({ settings: await settingsOf(), embedder })
    onTestFinished(() => service[Symbol.asyncDispose]())
    const admin = await setUpConsole(service)
    const { key, secret } = Object((await admin.post('/keys', { name: 'app', plan: 'free' })).body)
    const memory = { content: 'still being embedded', userId: 'u' }
    const created = apiClient(service.address, secret)('POST', '/v1/memories', { json: memory })
    const added = admin.post(`/keys/${key.id}/memories`, memory)
    await expect.poll(begun).toBe(2)
    await admin.post(`/keys/${key.id}/revoke`)
    const { body } = await admin.post(`/keys/${key.id}/purge`, { name: 'app' })
    expect(body).toMatchObject({ isDone: true })
    letGo()
    const refused = await created
    expect(refused).toMatchObject({ status: 401, code: 'API_KEY_REVOKED' })
    expect(refused.headers.get('www-authenticate')).toBe('Bearer')
    expect(await added).toMatchObject({ status: 409, code: 'KEY_REVOKED' })
    expect((await admin.get(`/keys/${key.id}`)).body).toMatchObject({
      key: { usage: { used: 0 } },
      data: { memories: 0 },
    })
  })
})
