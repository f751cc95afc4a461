// An import asks the store and the model for bulk work: where requests queue for these, others go first, and
// no line of it is refused because many wait.
import { expect, test } from 'vitest'
import { apiClient } from '../../testing/api-client.ts'
import { fakeEmbedder } from '../../testing/fake-embedder.ts'
import { importAll, toJsonLines } from '../../testing/import-client.ts'
import { runService } from '../../testing/running-service.ts'

test('the store hears that lines of an import are a bulk, and that a single create is none', async () => {
  await using service = await runService()
  const { store } = service.service
  const { idempotency, forSpace } = store
  const heard: string[] = []
  const { find } = idempotency
  idempotency.find = (keyId, name, notBefore, pace) => {
    heard.push(`${name} looked up: ${pace}`)
    return find(keyId, name, notBefore, pace)
  }
  store.forSpace = (spaceId) => {
    const space = forSpace(spaceId)
    const { memories } = space
    return {
      ...space,
      memories: {
        ...memories,
        insert(memory, pieces, receipt, generation, pace) {
          heard.push(`${memory.content} stored: ${pace}`)
          return memories.insert(memory, pieces, receipt, generation, pace)
        },
      },
    }
  }
  const { key } = await service.newKey()
  const line = { content: 'line', userId: 'u', idempotencyKey: 'a' }
  await importAll(service.address, key, toJsonLines([line]))
  const single = { json: { content: 'single', userId: 'u' }, headers: { 'idempotency-key': 'b' } }
  expect(await apiClient(service.address, key)('POST', '/v1/memories', single)).toMatchObject({
    status: 201,
  })
  expect(heard).toEqual([
    'a looked up: bulk',
    'line stored: bulk',
    'b looked up: undefined',
    'single stored: undefined',
  ])
})

test('the model hears that lines of an import are a bulk, and that a single create is none', async () => {
  const fake = fakeEmbedder()
  const heard: string[] = []
  await using service = await runService({
    embedder: {
      ...fake,
      embedMemory: async (content, urgency) => {
        heard.push(`${content}: ${urgency}`)
        return fake.embedMemory(content)
      },
    },
  })
  const { key } = await service.newKey()
  await importAll(service.address, key, toJsonLines([{ content: 'line', userId: 'u' }]))
  const single = { json: { content: 'single', userId: 'u' } }
  await apiClient(service.address, key)('POST', '/v1/memories', single)
  expect(heard).toEqual(['line: bulk', 'single: undefined'])
})
