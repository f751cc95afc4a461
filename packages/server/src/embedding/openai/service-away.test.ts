// While the service is away nobody waits for it, and nobody waits for what waits for its next try; a crowd of
// failures that another try mends is not yet taken for that.
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { type Embedder, EmbedderUnavailable } from '../embedder.ts'
import { PROBE_TEXT } from './first-request.ts'
import { Health } from './health.ts'
import { type Limits, type OpenAiConfig, openOpenAiEmbedder } from './openai-embedder.ts'
import {
  answer,
  configToReach,
  type EmbeddingsServer,
  startEmbeddingsServer,
} from './testing/embeddings-server.ts'

const NEVER_MS = 3_600_000

let server: EmbeddingsServer
let embedder: Embedder | undefined
beforeEach(async () => {
  server = await startEmbeddingsServer()
})
afterEach(async () => {
  await embedder?.close()
  await server.close()
})

async function open(changes: Partial<OpenAiConfig>, limits: Partial<Limits> = {}) {
  const config = configToReach(server, { retries: 2, ...changes })
  embedder = await openOpenAiEmbedder(config, { backoffMs: 1, checkIntervalMs: 10, ...limits })
  server.asked.length = 0
  return embedder
}

const hang = (): void => server.misbehave(() => true)

function failFirst(count: number, status: number): void {
  let failures = 0
  server.misbehave((_, response) => {
    failures += 1
    return failures <= count && answer(response, status, {})
  })
}

/** Those of callers. */
const asked = (): string[] =>
  server.asked.flatMap(({ texts }) => texts).filter((text) => text !== PROBE_TEXT)

async function expectRefused(embedding: Promise<unknown>): Promise<void> {
  await expect(embedding).rejects.toBeInstanceOf(EmbedderUnavailable)
}

test('what comes while the service is away is refused without being sent', async () => {
  const { embedQuery, embedMemory, isReady } = await open({ retries: 0 })
  failFirst(Number.POSITIVE_INFINITY, 500)
  for (const text of ['one', 'two', 'three']) await expectRefused(embedMemory(text))
  expect(isReady()).toBe(false)
  hang()
  await expectRefused(embedQuery('a query'))
  await expectRefused(embedMemory('a memory'))
  expect(asked()).toEqual(['one', 'two', 'three'])
})

test('a service that hangs is known to be away by three tries in a row, and what waits is refused', async () => {
  const { embedQuery, isReady } = await open({ timeoutMs: 500 }, { requestsMax: 3 })
  hang()
  const queries = Array.from({ length: 30 }, (_, number) => embedQuery(`query ${number}`))
  await Promise.all(queries.map(expectRefused))
  expect(isReady()).toBe(false)
  // The first three, and those that got the places of the first two before the third failed.
  expect(asked().length).toBeLessThan(10)
  server.misbehave(undefined)
  await expect.poll(isReady).toBe(true)
  await expect(embedQuery('query 0')).resolves.toHaveLength(1)
})

test('a try that took too long is followed by another one while it is not one of three', async () => {
  const { embedQuery } = await open({ timeoutMs: 500 })
  let tries = 0
  server.misbehave(() => {
    tries += 1
    return tries <= 2
  })
  await expect(embedQuery('query')).resolves.toHaveLength(1)
  expect(asked()).toHaveLength(3)
})

test('what takes too long is one failure, whether or not another try follows', async () => {
  const { embedQuery, isReady } = await open({ retries: 0, timeoutMs: 500 })
  hang()
  await Promise.all(['one', 'two'].map((text) => expectRefused(embedQuery(text))))
  expect(isReady()).toBe(true)
  await expectRefused(embedQuery('three'))
  expect(isReady()).toBe(false)
})

test('failures between which others succeed are no absence', async () => {
  const { embedMemory, isReady } = await open({ retries: 0 })
  for (let round = 0; round < 3; round += 1) {
    failFirst(2, 500)
    for (const text of ['one', 'two']) await expectRefused(embedMemory(text))
    await expect(embedMemory('three')).resolves.toHaveLength(1)
    expect(isReady()).toBe(true)
  }
})

test.each([429, 500])('many that are answered %i at once are all tried again', async (status) => {
  const { embedMemory } = await open({})
  failFirst(8, status)
  const memories = Array.from({ length: 8 }, (_, number) => embedMemory(`memory ${number}`))
  await expect(Promise.all(memories)).resolves.toHaveLength(8)
  expect(asked()).toHaveLength(16)
})

test('a pause between two tries holds no place', async () => {
  const { embedMemory } = await open(
    {},
    { requestsMax: 1, backoffMs: NEVER_MS, waitMsMax: NEVER_MS },
  )
  failFirst(1, 500)
  const paused = expectRefused(embedMemory('failed once'))
  await expect(embedMemory('next')).resolves.toHaveLength(1)
  await embedder?.close()
  await paused
})

test('once it is closed nothing is asked any more, also when all that was under way fails for that', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const check = vi.fn(() => Promise.reject(new Error('closed')))
  const health = new Health({ check, checkIntervalMs: 10, onAway: () => undefined })
  health.close()
  for (let failures = 0; failures < 3; failures += 1) health.onFailure()
  expect(health.isGood()).toBe(false)
  expect(vi.getTimerCount()).toBe(0)
})
