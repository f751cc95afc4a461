// A create can be admitted long before its text is embedded, and its key end meanwhile. Replaced by another,
// it is counted with that one. When its space was purged, nothing of it is stored, and its caller hears what
// the next one hears.
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { apiClient } from '../../testing/api-client.ts'
import { setUpConsole } from '../../testing/console-client.ts'
import { heldEmbedder } from '../../testing/held-embedder.ts'
import { newDatabase } from '../../testing/postgres.ts'
import { runService } from '../../testing/running-service.ts'

const server = inject('postgresUrl')

async function databaseOfTest(): Promise<Record<string, string>> {
  const { url, drop } = await newDatabase(server ?? '')
  onTestFinished(drop)
  return { DATABASE_URL: url }
}

describe.each([
  ['the embedded store', true, async () => ({})],
  ['the shared store', server !== undefined, databaseOfTest],
])('%s', (_, isThere, settingsOf) => {
  test.skipIf(!isThere)(
    'what is being created while its key is replaced counts with both',
    async () => {
      const { embedder, begun, letGo } = heldEmbedder()
      const service = await runService({ settings: await settingsOf(), embedder })
      onTestFinished(() => service[Symbol.asyncDispose]())
      const admin = await setUpConsole(service)
      const { key, secret } = Object(
        (await admin.post('/keys', { name: 'app', plan: 'free' })).body,
      )
      const old = apiClient(service.address, secret)
      const created = Array.from({ length: 3 }, (_, number) =>
        old('POST', '/v1/memories', { json: { content: `memory ${number}`, userId: 'u' } }),
      )
      await expect.poll(begun).toBe(3)
      const next = Object((await admin.post(`/keys/${key.id}/rotate`)).body)
      const call = apiClient(service.address, next.secret)
      const used = async () =>
        Number((await call('GET', '/v1/entities')).headers.get('x-quota-used'))
      expect(await used()).toBe(0)
      letGo()
      const answers = await Promise.all(created)
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
      // Each is told a number of its own.
      const told = answers.map(({ headers }) => Number(headers.get('x-quota-used')))
      expect(told.toSorted()).toEqual([1, 2, 3])
      expect(await used()).toBe(3)
    },
  )

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
