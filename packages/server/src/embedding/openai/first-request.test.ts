// A service that does not give the configured vectors ends the start, with the name of the setting to look at
// and without the key; one that is merely busy is asked again.
import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { freePort } from '../../testing/free-port.ts'
import { EmbedderRefusal } from '../embedder.ts'
import { type OpenAiConfig, openOpenAiEmbedder } from './openai-embedder.ts'
import {
  answer,
  configToReach,
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
  openOpenAiEmbedder(configToReach(server, { apiKey: 'sk-secret', retries: 1, ...changes }), {
    backoffMs: 1,
  })

async function refusalOf(changes: Partial<OpenAiConfig> = {}): Promise<string> {
  const error: unknown = await open(changes).catch((thrown: unknown) => thrown)
  if (!(error instanceof EmbedderRefusal)) throw new Error('The start was not refused.')
  return error.message
}

describe('the first request', () => {
  test('refuses the start and names the setting when the dimension is another', async () => {
    const message = await refusalOf({ dimension: DIMENSION + 1 })
    expect(message).toContain(`set MNEMOGRAPH_EMBEDDING_DIMENSION=${DIMENSION}`)
    expect(message).toContain(`not ${DIMENSION + 1}`)
  })

  test('asks a model with a choice for the configured dimension, then and later', async () => {
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

  test.each([
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

  test('refuses the start when the answer is no embedding', async () => {
    server.misbehave((_, response) => answer(response, 200, '<html></html>'))
    expect(await refusalOf()).toContain('does not speak the OpenAI protocol')
  })

  test('refuses the start when nobody answers', async () => {
    const { baseUrl } = server
    server.misbehave((_, response) => {
      response.destroy()
      return true
    })
    expect(await refusalOf({ baseUrl })).toContain('cannot be reached')
    expect(server.asked).toHaveLength(2)
  })

  test.each([
    ['nobody listens there', freePort, '(ECONNREFUSED)'],
    ['its port is one that fetch asks nobody at', async () => 6000, '(bad port)'],
  ])('refuses the start with the reason when %s', async (_, port, reason) => {
    const message = await refusalOf({ baseUrl: `http://127.0.0.1:${await port()}/v1`, retries: 0 })
    expect(message).toContain(reason)
    expect(message).not.toContain('TIMEOUT')
  })

  test('refuses the start with a longer time to be set when the service is too slow', async () => {
    server.misbehave(() => true)
    const message = await refusalOf({ timeoutMs: 50, retries: 0 })
    expect(message).toContain('(timeout)')
    expect(message).toContain('MNEMOGRAPH_EMBEDDING_TIMEOUT_MS')
  })

  test('refuses the start with how to trust a certificate that nobody vouches for', async () => {
    const code = 'DEPTH_ZERO_SELF_SIGNED_CERT'
    const cause = Object.assign(new Error('self-signed certificate'), { code })
    const fetching = vi.spyOn(globalThis, 'fetch')
    onTestFinished(() => fetching.mockRestore())
    fetching.mockRejectedValue(new TypeError('fetch failed', { cause }))
    const message = await refusalOf({ retries: 0 })
    expect(message).toContain('(DEPTH_ZERO_SELF_SIGNED_CERT)')
    expect(message).toContain('NODE_EXTRA_CA_CERTS')
  })

  test.each([429, 503])(
    'blames no setting for the dimension or the address when a busy service answers %i',
    async (status) => {
      const busy = (response: ServerResponse) => answer(response, status, {})
      server.misbehave((_, response) => busy(response))
      const message = await refusalOf()
      expect(message).toContain(`(${status})`)
      expect(message).toContain('again later')
      // Busy with the second question, which asks for the dimension.
      server.misbehave(({ dimensions }, response) => dimensions !== undefined && busy(response))
      expect(await refusalOf({ dimension: 8 })).toBe(message)
    },
  )

  test('is tried again when the service is busy', async () => {
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
