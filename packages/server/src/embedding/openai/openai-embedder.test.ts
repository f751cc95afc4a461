// Whatever a service answers becomes the right vectors or an EmbedderUnavailable that shows neither text nor
// key, with bounded requests and tries. The service is one on this machine that misbehaves when told to.
import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Embedder, EmbedderUnavailable } from '../embedder.ts'
import { type Limits, type OpenAiConfig, openOpenAiEmbedder } from './openai-embedder.ts'
import {
  answer,
  configToReach,
  DIMENSION,
  type EmbeddingsServer,
  entriesFor,
  startEmbeddingsServer,
} from './testing/embeddings-server.ts'

const SECRET_KEY = 'sk-secret-0123456789'
const CANARY = 'canary'
const LONG = `${CANARY} says something in every sentence here. `.repeat(220).slice(0, 10_000)

let server: EmbeddingsServer
const opened: Embedder[] = []
beforeEach(async () => {
  server = await startEmbeddingsServer()
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((embedder) => embedder.close()))
  await server.close()
})

const config = (changes: Partial<OpenAiConfig> = {}): OpenAiConfig =>
  configToReach(server, { apiKey: SECRET_KEY, retries: 2, ...changes })

/** Opens an embedder; what it asked at start is forgotten. */
async function open(changes: Partial<OpenAiConfig> = {}, limits: Partial<Limits> = {}) {
  const embedder = await openOpenAiEmbedder(config(changes), {
    backoffMs: 1,
    checkIntervalMs: 10,
    ...limits,
  })
  opened.push(embedder)
  server.asked.length = 0
  return embedder
}

/** Holds every request back until it is released. */
function holdRequests(): { release(): void } {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  server.misbehave(() => promise)
  return { release: () => resolve(false) }
}

const failFirst = (count: number, status: number, headers: Record<string, string> = {}): void => {
  let failures = 0
  server.misbehave((_, response) => {
    failures += 1
    return failures <= count && answer(response, status, { error: { message: 'busy' } }, headers)
  })
}

describe('the requests', () => {
  test('carry key, model and pieces to the configured address', async () => {
    const embedder = await open()
    await embedder.embedMemory('A short one.')
    expect(server.asked).toEqual([
      {
        path: '/v1/embeddings',
        authorization: `Bearer ${SECRET_KEY}`,
        model: 'some-model',
        texts: ['A short one.'],
        dimensions: undefined,
      },
    ])
    expect(embedder.model).toMatchObject({ id: 'openai:some-model', dimension: DIMENSION })
  })

  test('carry no key when there is none, and keep the query of a gateway', async () => {
    const embedder = await open({ apiKey: undefined, baseUrl: `${server.baseUrl}/?version=1` })
    await embedder.embedQuery('hello')
    expect(server.asked[0]).toMatchObject({
      path: '/v1/embeddings?version=1',
      authorization: undefined,
    })
  })

  test('carry at most 16 pieces of at most 500 bytes', async () => {
    const embedder = await open()
    const pieces = await embedder.embedMemory(LONG)
    expect(server.asked.length).toBeGreaterThan(1)
    for (const { texts } of server.asked) expect(texts.length).toBeLessThanOrEqual(16)
    const sent = server.asked.flatMap(({ texts }) => texts)
    for (const text of sent) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(500)
    expect(sent.toSorted()).toEqual(pieces.map((p) => LONG.slice(p.start, p.end)).toSorted())
  })

  test('are bounded in number, and those of queries go first', async () => {
    const embedder = await open({}, { requestsMax: 2 })
    const { release } = holdRequests()
    const memories = ['one', 'two', 'three'].map((text) => embedder.embedMemory(text))
    const queries = ['query', 'next query'].map((text) => embedder.embedQuery(text))
    await expect.poll(() => server.asked.length).toBe(3)
    await sleep(50)
    expect(server.asked.flatMap(({ texts }) => texts).toSorted()).toEqual(['one', 'query', 'two'])
    release()
    await Promise.all([...memories, ...queries])
    expect(server.asked[3]?.texts).toEqual(['next query'])
    expect(server.asked[4]?.texts).toEqual(['three'])
  })

  test('of too many texts are refused at once', async () => {
    const embedder = await open({}, { charactersMax: 15_000 })
    const { release } = holdRequests()
    const admitted = [embedder.embedMemory(LONG), embedder.embedMemory(LONG)]
    await expect(embedder.embedMemory('one more')).rejects.toBeInstanceOf(EmbedderUnavailable)
    expect(embedder.isReady()).toBe(false)
    release()
    await Promise.all(admitted)
    expect(embedder.isReady()).toBe(true)
  })

  test('of a query that is given up while it waits are not made, and no failure of the service', async () => {
    const embedder = await open({}, { requestsMax: 1 })
    const { release } = holdRequests()
    const memory = embedder.embedMemory('one', 'patient', 1)
    await expect.poll(() => server.asked.length).toBe(1)
    const others = [1, 1].map((asker) => embedder.embedQuery('other', asker))
    const leaving = new AbortController()
    const reason = new Error('left')
    const query = embedder.embedQuery('query', 1, leaving.signal)
    leaving.abort(reason)
    await expect(query).rejects.toBe(reason)
    release()
    await Promise.all([memory, ...others])
    expect(server.asked.flatMap(({ texts }) => texts)).not.toContain('query')
  })

  test.each<[string, (of: Embedder, text: string, asker: number) => Promise<unknown[]>]>([
    ['memories', (full, text, asker) => full.embedMemory(text, 'patient', asker)],
    ['queries', (full, text, asker) => full.embedQuery(text, asker)],
  ])('of the many %s of one space do not keep out those of another', async (_, embed) => {
    const embedder = await open({}, { charactersMax: 40_000 })
    const { release } = holdRequests()
    const admitted = [1, 2, 3].map(() => embed(embedder, LONG, 1))
    await expect(embed(embedder, 'one more', 1)).rejects.toBeInstanceOf(EmbedderUnavailable)
    expect(embedder.isReady()).toBe(true)
    admitted.push(embed(embedder, 'the first', 2))
    release()
    await Promise.all(admitted)
  })
})

describe('an answer', () => {
  test('in another order is put back in order', async () => {
    const embedder = await open()
    const inOrder = await embedder.embedMemory(LONG)
    server.misbehave(async ({ texts }, response) =>
      answer(response, 200, { data: (await entriesFor(texts)).toReversed() }),
    )
    expect(await embedder.embedMemory(LONG)).toEqual(inOrder)
  })

  test.each<[string, (entries: Awaited<ReturnType<typeof entriesFor>>) => unknown]>([
    ['with too few vectors', (entries) => ({ data: entries.slice(1) })],
    ['with a number twice', (entries) => ({ data: entries.map((e) => ({ ...e, index: 0 })) })],
    ['without numbers', (entries) => ({ data: entries.map(({ embedding }) => ({ embedding })) })],
    [
      'of another dimension',
      (entries) => ({ data: entries.map((e) => ({ ...e, embedding: [1] })) }),
    ],
    [
      'with zeros',
      (entries) => ({ data: entries.map((e) => ({ ...e, embedding: Array(DIMENSION).fill(0) })) }),
    ],
    [
      'with numbers beyond 32 bits',
      (entries) => ({
        data: entries.map((e) => ({ ...e, embedding: Array(DIMENSION).fill(1e39) })),
      }),
    ],
    [
      'with text for a vector',
      (entries) => ({ data: entries.map((e) => ({ ...e, embedding: 'AA' })) }),
    ],
    ['of another kind', () => ({ error: { message: `cannot read ${CANARY}` } })],
    ['that is not JSON', () => `<p>${CANARY}</p>`],
  ])('%s makes the embedder unavailable', async (_, misanswer) => {
    const embedder = await open()
    server.misbehave(async ({ texts }, response) =>
      answer(response, 200, misanswer(await entriesFor(texts))),
    )
    await expect(embedder.embedMemory(LONG)).rejects.toBeInstanceOf(EmbedderUnavailable)
  })
})

describe('a failure', () => {
  test.each([408, 429, 500, 503])('with status %i is tried again', async (status) => {
    const embedder = await open()
    failFirst(2, status)
    await expect(embedder.embedMemory('short')).resolves.toHaveLength(1)
    expect(server.asked).toHaveLength(3)
  })

  test('of the connection is tried again', async () => {
    const embedder = await open()
    let failures = 0
    server.misbehave((_, response) => {
      failures += 1
      if (failures === 1) response.destroy()
      return failures === 1
    })
    await expect(embedder.embedMemory('short')).resolves.toHaveLength(1)
  })

  test('is final after the configured number of retries', async () => {
    const embedder = await open({ retries: 1 })
    failFirst(100, 500)
    await expect(embedder.embedMemory('short')).rejects.toBeInstanceOf(EmbedderUnavailable)
    expect(server.asked).toHaveLength(2)
  })

  test.each([301, 400, 401, 404, 422])('with status %i is not tried again', async (status) => {
    const embedder = await open()
    failFirst(1, status, { location: '/elsewhere' })
    await expect(embedder.embedMemory('short')).rejects.toBeInstanceOf(EmbedderUnavailable)
    expect(server.asked).toHaveLength(1)
  })

  test.each([
    ['seconds', () => '3600'],
    ['a date', () => new Date(Date.now() + 3_600_000).toUTCString()],
  ])('is final when the service asks, in %s, for a longer wait than allowed', async (_, wait) => {
    const embedder = await open()
    failFirst(1, 429, { 'retry-after': wait() })
    await expect(embedder.embedMemory('short')).rejects.toBeInstanceOf(EmbedderUnavailable)
    expect(server.asked).toHaveLength(1)
  })

  test('by taking too long ends the try, also in the middle of an answer', async () => {
    const embedder = await open({ timeoutMs: 100, retries: 0 })
    server.misbehave((_, response) => response.writeHead(200).write('{"data":['))
    await expect(embedder.embedMemory('short')).rejects.toBeInstanceOf(EmbedderUnavailable)
  })

  test('shows neither the text nor the key, whatever the service says', async () => {
    const embedder = await open()
    const bodies = [`${CANARY} ${SECRET_KEY}`, { data: [CANARY, SECRET_KEY] }]
    for (const status of [200, 400, 500]) {
      for (const body of bodies) {
        server.misbehave((_, response) => answer(response, status, body))
        const error: unknown = await embedder.embedMemory(LONG).catch((thrown: unknown) => thrown)
        expect(error).toBeInstanceOf(EmbedderUnavailable)
        const shown = inspect(error, { depth: 20, showHidden: true, getters: true })
        expect(shown).not.toContain(CANARY)
        expect(shown).not.toContain(SECRET_KEY)
      }
    }
  })
})

describe('readiness', () => {
  test('ends after several failures in a row and comes back without a request of ours', async () => {
    const embedder = await open({ retries: 0 })
    failFirst(Number.POSITIVE_INFINITY, 500)
    for (const expected of [true, true, false]) {
      await expect(embedder.embedMemory('short')).rejects.toThrow()
      expect(embedder.isReady()).toBe(expected)
    }
    server.misbehave(undefined)
    await expect.poll(() => embedder.isReady()).toBe(true)
  })

  test.each([400, 413, 422])('comes back although a check was answered %i', async (status) => {
    const embedder = await open({ retries: 0 })
    failFirst(Number.POSITIVE_INFINITY, 500)
    for (let times = 0; times < 3; times += 1) {
      await expect(embedder.embedMemory('short')).rejects.toThrow()
    }
    let checks = 0
    server.misbehave((_, response) => {
      checks += 1
      return answer(response, status, {})
    })
    await expect.poll(() => checks).toBeGreaterThan(0)
    server.misbehave(undefined)
    await expect.poll(() => embedder.isReady()).toBe(true)
  })

  test('survives texts that the service finds fault with', async () => {
    const embedder = await open()
    failFirst(Number.POSITIVE_INFINITY, 400)
    for (let times = 0; times < 5; times += 1) {
      await expect(embedder.embedMemory('short')).rejects.toThrow()
    }
    expect(embedder.isReady()).toBe(true)
  })
})

describe('closing', () => {
  test('ends requests under way and those that wait or come', async () => {
    const embedder = await open({}, { requestsMax: 1 })
    holdRequests()
    const outcomes = Promise.allSettled([embedder.embedMemory('one'), embedder.embedMemory('two')])
    await expect.poll(() => server.asked.length).toBe(1)
    await embedder.close()
    const late = await Promise.allSettled([embedder.embedMemory('three')])
    for (const outcome of [...(await outcomes), ...late]) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'EmbedderUnavailable' } })
    }
    expect(server.asked).toHaveLength(1)
  })

  test('ends a wait before another try', async () => {
    const embedder = await open({}, { backoffMs: 3_600_000, waitMsMax: 3_600_000 })
    failFirst(1, 500)
    const embedding = embedder.embedMemory('short')
    await expect.poll(() => server.asked.length).toBe(1)
    await embedder.close()
    await expect(embedding).rejects.toBeInstanceOf(EmbedderUnavailable)
  })
})
