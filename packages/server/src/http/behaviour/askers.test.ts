// Who is asking reaches the model, and whoever reads long bodies: by it those who ask take turns, and a query that
// is remembered answers nobody else faster.
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { apiClient } from '../../testing/api-client.ts'
import { fakeEmbedder } from '../../testing/fake-embedder.ts'
import { importAll } from '../../testing/import-client.ts'
import { runService } from '../../testing/running-service.ts'
import { LONG_BYTES, ReadingTurns } from '../body/reading-turns.ts'

const asked: (number | undefined)[] = []
const fake = fakeEmbedder()
const service = await runService({
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

test('what is long is read in the turns of the account, and of a key that is nobody’s in those of its space', async () => {
  const turns = vi.spyOn(ReadingTurns.prototype, 'of')
  const { admission } = service.service
  const admit = admission.admit.bind(admission)
  const { id, key } = await service.newKey()
  const { spaceId } = (await service.service.store.keys.list()).find((each) => each.id === id) ?? {}
  const memory = JSON.stringify({ content: 'tea', userId: 'anna' })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const askersOfLongOnes = async () => {
    const body = memory + ' '.repeat(LONG_BYTES)
    const { status } = await fetch(`${service.address}/v1/memories`, {
      method: 'POST',
      headers,
      body,
    })
    expect(status).toBe(201)
    await importAll(service.address, key, memory)
    return turns.mock.calls.splice(0)
  }
  expect(await askersOfLongOnes()).toEqual([[spaceId], [spaceId]])
  const ofAccount = vi.spyOn(admission, 'admit').mockImplementation(async (...asked) => {
    const admitted = await admit(...asked)
    return { ...admitted, caller: { ...admitted.caller, accountId: 'acc_1' } }
  })
  onTestFinished(() => {
    turns.mockRestore()
    ofAccount.mockRestore()
  })
  expect(await askersOfLongOnes()).toEqual([['acc_1'], ['acc_1']])
})
