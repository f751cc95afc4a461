// A service that does not give the configured vectors ends the start, with the name of the setting to look at
// and without the key; one that is merely busy is asked again.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { EmbedderRefusal } from '../embedder.ts'
import { type OpenAiConfig, openOpenAiEmbedder } from './openai-embedder.ts'
import {
  answer,
  DIMENSION,
  type EmbeddingsServer,
  startEmbeddingsServer,
} from './testing/embeddings-server.ts'

let server: EmbeddingsServer
beforeEach(async () => {
  server = await startEmbeddingsServer()
})
afterEach(() => server.close())

const open = (changes: Partial<OpenAiConfig> = {}) =>
  openOpenAiEmbedder(
    {
      kind: 'openai',
      baseUrl: server.baseUrl,
      apiKey: 'sk-secret',
      model: 'some-model',
      dimension: DIMENSION,
      timeoutMs: 20_000,
      retries: 1,
      ...changes,
    },
    { backoffMs: 1 },
  )

async function refusalOf(changes: Partial<OpenAiConfig> = {}): Promise<string> {
  const error: unknown = await open(changes).catch((thrown: unknown) => thrown)
  if (!(error instanceof EmbedderRefusal)) throw new Error('The start was not refused.')
  return error.message
}

describe('the first request', () => {
  it('refuses the start and names the setting when the dimension is another', async () => {
    const message = await refusalOf({ dimension: DIMENSION + 1 })
    expect(message).toContain(`set MNEMOGRAPH_EMBEDDING_DIMENSION=${DIMENSION}`)
    expect(message).toContain(`not ${DIMENSION + 1}`)
  })

  it('asks a model with a choice for the configured dimension, then and later', async () => {
    server.misbehave(({ texts, dimensions }, response) => {
      if (dimensions === undefined) return false
      const embedding = Array.from({ length: dimensions }, () => 1)
      return answer(response, 200, { data: texts.map((_, index) => ({ index, embedding })) })
    })
    const embedder = await open({ dimension: 8 })
    expect((await embedder.embedQuery('hello'))[0]?.vector).toHaveLength(8)
    expect(server.asked.map(({ dimensions }) => dimensions)).toEqual([undefined, 8, 8])
    await embedder.close()
  })

  it.each([
    [401, 'MNEMOGRAPH_EMBEDDING_KEY'],
    [403, 'MNEMOGRAPH_EMBEDDING_KEY'],
    [404, 'MNEMOGRAPH_EMBEDDING_MODEL'],
    [400, 'MNEMOGRAPH_EMBEDDING_MODEL'],
    [308, 'MNEMOGRAPH_EMBEDDING_URL'],
  ])('refuses the start when it is answered %i, and names %s', async (status, setting) => {
    server.misbehave((_, response) => answer(response, status, {}, { location: '/elsewhere' }))
    const message = await refusalOf({ baseUrl: `${server.baseUrl}?key=sk-secret` })
    expect(message).toContain(String(status))
    expect(message).toContain(setting)
    expect(message).not.toContain('sk-secret')
    expect(server.asked).toHaveLength(1)
  })

  it('refuses the start when the answer is no embedding', async () => {
    server.misbehave((_, response) => answer(response, 200, '<html></html>'))
    expect(await refusalOf()).toContain('does not speak the OpenAI protocol')
  })

  it('refuses the start when nobody answers', async () => {
    const { baseUrl } = server
    server.misbehave((_, response) => {
      response.destroy()
      return true
    })
    expect(await refusalOf({ baseUrl })).toContain('cannot be reached')
    expect(server.asked).toHaveLength(2)
  })

  it('is tried again when the service is busy', async () => {
    let failures = 0
    server.misbehave((_, response) => {
      failures += 1
      return failures === 1 && answer(response, 503, {})
    })
    const embedder = await open()
    expect(embedder.isReady()).toBe(true)
    await embedder.close()
  })
})
