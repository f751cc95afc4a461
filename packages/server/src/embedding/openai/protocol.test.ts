import { afterAll } from 'vitest'
import { describeEmbedder } from '../embedder.suite.ts'
import { openOpenAiEmbedder } from './openai-embedder.ts'
import { DIMENSION, startEmbeddingsServer } from './testing/embeddings-server.ts'

const server = await startEmbeddingsServer()
afterAll(() => server.close())

describeEmbedder('OpenAI-compatible', () =>
  openOpenAiEmbedder({
    kind: 'openai',
    baseUrl: server.baseUrl,
    apiKey: undefined,
    model: 'some-model',
    dimension: DIMENSION,
    timeoutMs: 20_000,
    retries: 0,
  }),
)
