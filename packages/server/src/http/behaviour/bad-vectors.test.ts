// A model whose answer for a text means nothing: that request fails, the log says why without the
// text, and nothing of it is stored or counted.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Embedder } from '../../embedding/embedder.ts'
import { openLocalEmbedder } from '../../embedding/local/local-embedder.ts'
import { tinyModelFolder } from '../../embedding/local/testing/tiny-model.ts'
import { openOpenAiEmbedder } from '../../embedding/openai/openai-embedder.ts'
import {
  answer,
  configToReach,
  DIMENSION,
  type EmbeddingsServer,
  startEmbeddingsServer,
} from '../../embedding/openai/testing/embeddings-server.ts'
import { apiClient, type Call } from '../../testing/api-client.ts'
import { runService, type TestService } from '../../testing/running-service.ts'

const log: string[] = []
const logTo = { write: (line: string) => void log.push(line) }

const serviceWith = (embedder: Embedder): Promise<TestService> =>
  runService({ embedder, logTo, settings: { MNEMOGRAPH_LOG_LEVEL: 'info' } })

const callerOf = async (service: TestService): Promise<Call> =>
  apiClient(service.address, (await service.newKey()).key)

async function expectNothingKept(call: Call, text: string, complaint: string): Promise<void> {
  log.length = 0
  const failed = [
    await call('POST', '/v1/memories', { json: { content: text, userId: 'u' } }),
    await call('POST', '/v1/memories/search', { json: { query: text } }),
  ]
  for (const one of failed) {
    expect(one).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE' })
    expect(one.headers.get('x-quota-used')).toBe('0')
  }
  const errors = log.filter((line) => line.includes('SERVICE_UNAVAILABLE'))
  expect(errors).toHaveLength(2)
  for (const line of errors) expect(line).toContain(complaint)
  expect(log.join('')).not.toContain(text)
  const { body } = await call('GET', '/v1/memories')
  expect(body).toMatchObject({ items: [], pagination: { total: 0 } })
}

describe('a local model', () => {
  const zeros = [0, 0, 0, 0]
  test.each([
    ['NaN', [Number.NaN, 0, 0, 0]],
    ['infinity', [0, Number.POSITIVE_INFINITY, 0, 0]],
    ['zeros', zeros],
  ])('that answers with %s', async (_, row) => {
    const rows = { '[CLS]': zeros, '[SEP]': zeros, broken: row }
    using model = tinyModelFolder({ rows })
    const embedder = await openLocalEmbedder({ folder: model.folder, workers: 1 })
    await using service = await serviceWith(embedder)
    const call = await callerOf(service)
    await expectNothingKept(call, 'broken broken', 'vector without direction')
    const created = await call('POST', '/v1/memories', { json: { content: 'north', userId: 'u' } })
    expect(created.status).toBe(201)
  })
})

describe('a service', () => {
  const TEXT = 'a canary sings'
  let server: EmbeddingsServer
  let service: TestService
  beforeAll(async () => {
    server = await startEmbeddingsServer()
    const embedder = await openOpenAiEmbedder(configToReach(server, { retries: 2 }))
    service = await serviceWith(embedder)
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await server.close()
  })

  const filled = (value: string): string =>
    `{"data":[{"index":0,"embedding":[${Array(DIMENSION).fill(value).join(',')}]}]}`
  test.each([
    ['another dimension', '{"data":[{"index":0,"embedding":[1,0]}]}', 'vector of 2 dimensions'],
    ['an empty vector', '{"data":[{"index":0,"embedding":[]}]}', 'vector of 0 dimensions'],
    ['no vector', '{"data":[]}', '0 vectors for 1 texts'],
    ['nothing', '', 'did not answer with JSON'],
    ['NaN', filled('NaN'), 'did not answer with JSON'],
    ['null', filled('null'), 'something other than embeddings'],
    ['infinity', filled('1e999'), 'something other than embeddings'],
    ['numbers beyond 32 bits', filled('1e39'), 'vector without direction'],
    ['zeros', filled('0'), 'vector without direction'],
  ])('that answers with %s', async (_, body, complaint) => {
    const call = await callerOf(service)
    server.misbehave((_asked, response) => answer(response, 200, body))
    await expectNothingKept(call, TEXT, complaint)
    server.misbehave(undefined)
    const created = await call('POST', '/v1/memories', { json: { content: TEXT, userId: 'u' } })
    expect(created.status).toBe(201)
  })
})
