// A running service whose store is moved to a model that it cannot open: what needs vectors fails
// with a clear answer, everything else goes on, and it recovers by itself.
import { expect, test } from 'vitest'
import { openSqliteReembedding } from '../../storage/sqlite/reembedding/open-reembedding.ts'
import { apiClient } from '../../testing/api-client.ts'
import { fakeEmbedder } from '../../testing/fake-embedder.ts'
import { runService } from '../../testing/running-service.ts'

test('a model that cannot be opened fails creates and searches, and nothing else', async () => {
  const log: string[] = []
  let isThere = false
  await using service = await runService({
    settings: { MNEMOGRAPH_LOG_LEVEL: 'error' },
    logTo: { write: (line: string) => void log.push(line) },
    openModel: async ({ id }) => {
      if (!isThere) throw new Error('There is no such folder.')
      const fake = fakeEmbedder()
      return { ...fake, model: { ...fake.model, id } }
    },
  })
  const call = apiClient(service.address, (await service.newKey()).key)
  const memory = { content: 'Anna likes tea.', userId: 'anna' }
  const create = () => call('POST', '/v1/memories', { json: memory })
  const search = () => call('POST', '/v1/memories/search', { json: { query: 'Anna likes tea.' } })
  const readiness = async () => (await fetch(`${service.address}/readyz`)).status
  const { id } = await create()

  const mover = openSqliteReembedding(service.directory)
  const { dimension } = fakeEmbedder().model
  const target = { id: 'new', dimension, piecesVersion: 1, source: undefined }
  await mover.begin(target)
  const embed = (content: string) => fakeEmbedder().embedMemory(content)
  expect(await mover.switchOver({ restMax: 1, waitMsMax: 10_000, embed })).toBe(true)
  await mover.close()

  for (const ask of [create, search]) {
    expect(await ask()).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE' })
  }
  expect(await readiness()).toBe(503)
  expect(log.join('')).toContain('following the store to another model has failed')
  expect(log.join('')).toContain('There is no such folder.')
  expect(log.join('')).not.toContain('Anna')
  expect(await call('GET', `/v1/memories/${id}`)).toMatchObject({ status: 200 })
  expect(await call('GET', '/v1/memories')).toMatchObject({ body: { pagination: { total: 1 } } })
  const entity = { name: 'Anna', type: 'PERSON' }
  expect(await call('POST', '/v1/entities', { json: entity })).toMatchObject({ status: 201 })

  isThere = true
  await expect.poll(readiness).toBe(200)
  expect(await create()).toMatchObject({ status: 201 })
  expect((await search()).body).toMatchObject({ results: [{ score: 1 }, { score: 1 }] })
})
