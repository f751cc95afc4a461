/**
 * A small service with the OpenAI-compatible embeddings protocol, for servers that are configured
 * to use one: vectors of counted words, so equal texts are equal, and a switch to be away.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import { Type } from 'typebox'
import { listenOnLoopback } from './loopback.ts'
import { read } from './read.ts'

const DIMENSION = 64
const Request = Type.Object({
  model: Type.String(),
  input: Type.Union([Type.String(), Type.Array(Type.String())]),
})

export interface EmbeddingStub {
  /** The settings that make a server use it. */
  readonly settings: Readonly<Record<string, string>>
  /** The keys and models that it was asked with. */
  readonly asked: Set<string>
  readonly setAway: (away: boolean) => void
  readonly stop: () => Promise<void>
}

export async function startEmbeddingStub(model: string): Promise<EmbeddingStub> {
  const asked = new Set<string>()
  let away = false
  const answer = async (request: IncomingMessage): Promise<unknown> => {
    const body = read(Request, JSON.parse(await textOf(request)))
    asked.add(`${request.headers.authorization} ${body.model} ${request.url}`)
    const texts = typeof body.input === 'string' ? [body.input] : body.input
    const data = texts.map((text, index) => ({
      object: 'embedding',
      index,
      embedding: vectorOf(text),
    }))
    const usage = { prompt_tokens: 1, total_tokens: 1 }
    return { object: 'list', model: body.model, data, usage }
  }
  const server = createServer((request, response) => {
    const failed = (error: unknown) => response.writeHead(500).end(String(error))
    if (away) {
      request.resume()
      response.writeHead(503).end()
      return
    }
    answer(request).then((value) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    }, failed)
  })
  return {
    settings: {
      MNEMOGRAPH_EMBEDDER: 'openai',
      MNEMOGRAPH_EMBEDDING_URL: `${await listenOnLoopback(server)}/v1`,
      MNEMOGRAPH_EMBEDDING_KEY: 'stub-key',
      MNEMOGRAPH_EMBEDDING_MODEL: model,
      MNEMOGRAPH_EMBEDDING_DIMENSION: `${DIMENSION}`,
      MNEMOGRAPH_EMBEDDING_TIMEOUT_MS: '2000',
      MNEMOGRAPH_EMBEDDING_RETRIES: '0',
    },
    asked,
    setAway: (next) => {
      away = next
    },
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function vectorOf(text: string): number[] {
  const vector = new Array<number>(DIMENSION).fill(0.01)
  for (const word of text.toLowerCase().match(/\w+/g) ?? []) {
    const place = [...word].reduce(
      (sum, letter) => (sum * 31 + letter.charCodeAt(0)) % DIMENSION,
      7,
    )
    vector[place] = (vector[place] ?? 0) + 1
  }
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}
