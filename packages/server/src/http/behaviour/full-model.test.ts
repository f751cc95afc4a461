// Whoever sends more than the model can take is refused, and nobody else: the others are let in and
// served meanwhile, and the server stays ready. The service with the model is one on this machine
// that keeps long texts waiting.
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openOpenAiEmbedder } from '../../embedding/openai/openai-embedder.ts'
import {
  configToReach,
  startEmbeddingsServer,
} from '../../embedding/openai/testing/embeddings-server.ts'
import { apiClient, type Call } from '../../testing/api-client.ts'
import { runService } from '../../testing/running-service.ts'

/** Room for about ten of the long texts; the service takes all of their requests at once. */
const LIMITS = { charactersMax: 100_000, requestsMax: 1_000 }
const KEPT_WAITING = 'kettle'
const LONG = `The ${KEPT_WAITING} sings. `.repeat(600).slice(0, 9_900)

let letGo = (): void => undefined
const server = await startEmbeddingsServer()
const service = await runService({
  embedder: await openOpenAiEmbedder(configToReach(server), LIMITS),
})
beforeEach(() => {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  letGo = () => resolve(false)
  server.misbehave(({ texts }) => texts.some((text) => text.includes(KEPT_WAITING)) && promise)
})
afterEach(() => letGo())
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await server.close()
})

const newCaller = async (): Promise<Call> =>
  apiClient(service.address, (await service.newKey()).key)

type Send = (call: Call, text: string) => Promise<number>

const create: Send = async (call, content) =>
  (await call('POST', '/v1/memories', { json: { content, userId: 'u' } })).status

const search: Send = async (call, query) =>
  (await call('POST', '/v1/memories/search', { json: { query } })).status

const readiness = async (): Promise<number> => (await fetch(`${service.address}/readyz`)).status

/** Twelve long texts of a new key at once. Resolves when as many are refused and the others in. */
async function sendMany(send: Send, { refused }: { refused: number }) {
  const call = await newCaller()
  const answered: number[] = []
  const sent = Array.from({ length: 12 }, async (_, number) => {
    answered.push(await send(call, `${number} ${LONG}`))
  })
  await expect.poll(() => answered.length).toBe(refused)
  return { answered, ended: Promise.all(sent) }
}

const refusals = (count: number): number[] => Array(count).fill(503)

describe.each([
  ['creates', create, 201],
  ['searches', search, 200],
] as const)('more %s than the model can take', (_, send, success) => {
  test('of one key are refused, and not those of another', async () => {
    const { answered, ended } = await sendMany(send, { refused: 4 })
    expect(answered).toEqual(refusals(4))
    expect(await readiness()).toBe(200)
    expect(await send(await newCaller(), 'tea')).toBe(success)
    letGo()
    await ended
    expect(answered).toEqual([...refusals(4), ...Array(8).fill(success)])
  })

  test('of several keys are refused, and not those of another until all is full', async () => {
    const many = [
      await sendMany(send, { refused: 4 }),
      await sendMany(send, { refused: 11 }),
      await sendMany(send, { refused: 11 }),
    ]
    expect(await readiness()).toBe(200)
    const call = await newCaller()
    expect(await send(call, 'tea')).toBe(success)
    many.push(await sendMany(send, { refused: 11 }))
    expect(await readiness()).toBe(503)
    expect(await send(call, 'tea')).toBe(503)
    letGo()
    for (const { ended } of many) await ended
    expect(await readiness()).toBe(200)
    expect(await send(call, 'tea')).toBe(success)
  })
})
