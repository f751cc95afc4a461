// Who is asking reaches the model: by it those who ask take turns, and a query that is remembered answers
// nobody else faster.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { apiClient } from '../../testing/api-client.ts'
import { fakeEmbedder } from '../../testing/fake-embedder.ts'
import { importAll } from '../../testing/import-client.ts'
import { runService, type TestService } from '../../testing/running-service.ts'

let service: TestService
const asked: (number | undefined)[] = []
beforeAll(async () => {
  const fake = fakeEmbedder()
  service = await runService({
    embedder: {
      ...fake,
      embedMemory: (content, urgency, asker) => {
        asked.push(asker)
        return fake.embedMemory(content, urgency, asker)
      },
      embedQuery: (query, asker) => {
        asked.push(asker)
        return fake.embedQuery(query, asker)
      },
    },
  })
})
afterAll(() => service[Symbol.asyncDispose]())

test('all that a key asks of the model is asked for its space, which is no other key’s', async () => {
  const askers = new Set<number | undefined>()
  for (let count = 1; count <= 2; count += 1) {
    const { key } = await service.newKey()
    const call = apiClient(service.address, key)
    const memory = { content: 'tea', userId: 'anna' }
    await call('POST', '/v1/memories', { json: memory })
    await call('POST', '/v1/memories/search', { json: { query: 'tea' } })
    await importAll(service.address, key, JSON.stringify(memory))
    const own = asked.splice(0)
    expect(own).toEqual(Array(3).fill(expect.any(Number)))
    for (const asker of own) askers.add(asker)
    expect(askers.size).toBe(count)
  }
})
