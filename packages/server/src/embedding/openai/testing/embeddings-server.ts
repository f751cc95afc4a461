// A small embedding service on this machine for tests. It speaks the protocol as the real ones do,
// gives the vectors of the fake embedder, remembers what it was asked, and misbehaves on demand.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { FAKE_DIMENSION, fakeEmbedder } from '../../../testing/fake-embedder.ts'
import { listenOnLoopback } from '../../../testing/listen-on-loopback.ts'
import type { OpenAiConfig } from '../openai-embedder.ts'

const Question = Type.Object({
  model: Type.String(),
  input: Type.Array(Type.String()),
  encoding_format: Type.Optional(Type.String()),
  dimensions: Type.Optional(Type.Integer()),
})

export type Asked = {
  path: string
  authorization: string | undefined
  model: string
  texts: string[]
  dimensions: number | undefined
}
export type Entry = { index: number; embedding: unknown }

/** Answers a request itself and returns true, or leaves it to the usual answer. */
type Misbehaviour = (asked: Asked, response: ServerResponse) => boolean | Promise<boolean>

export type EmbeddingsServer = {
  baseUrl: string
  asked: Asked[]
  /** Replaces the one before. */
  misbehave(how: Misbehaviour | undefined): void
  close(): Promise<void>
}

export const DIMENSION = FAKE_DIMENSION

/** How an embedder reaches it. */
export const configToReach = (
  { baseUrl }: Pick<EmbeddingsServer, 'baseUrl'>,
  changes: Partial<OpenAiConfig> = {},
): OpenAiConfig => ({
  kind: 'openai',
  baseUrl,
  apiKey: undefined,
  model: 'some-model',
  dimension: DIMENSION,
  timeoutMs: 20_000,
  retries: 0,
  ...changes,
})

/** The same for a process. */
export const settingsToReach = ({
  baseUrl,
}: Pick<EmbeddingsServer, 'baseUrl'>): Record<string, string> => ({
  MNEMOGRAPH_EMBEDDER: 'openai',
  MNEMOGRAPH_EMBEDDING_URL: baseUrl,
  MNEMOGRAPH_EMBEDDING_MODEL: 'some-model',
  MNEMOGRAPH_EMBEDDING_DIMENSION: String(DIMENSION),
})

const fake = fakeEmbedder()

export async function entriesFor(texts: string[]): Promise<Entry[]> {
  const vectors = await Promise.all(texts.map((text) => fake.embedQuery(text)))
  return vectors.map(([part], index) => ({
    index,
    // Longer than one, as some models' vectors are.
    embedding: [...(part?.vector ?? [])].map((value) => value * 3),
  }))
}

export const answer = (response: ServerResponse, status: number, body: unknown, headers = {}) => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
  return true
}

async function read(request: IncomingMessage): Promise<Asked> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const { model, input, dimensions } = Value.Parse(
    Question,
    JSON.parse(Buffer.concat(chunks).toString()),
  )
  const { url = '', headers } = request
  return { path: url, authorization: headers.authorization, model, texts: input, dimensions }
}

export async function startEmbeddingsServer(): Promise<EmbeddingsServer> {
  const asked: Asked[] = []
  let misbehaviour: Misbehaviour | undefined

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const question = await read(request)
    asked.push(question)
    if (await misbehaviour?.(question, response)) return
    answer(response, 200, { object: 'list', data: await entriesFor(question.texts) })
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy())
  })
  const port = await listenOnLoopback(server)
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    asked,
    misbehave(how) {
      misbehaviour = how
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
