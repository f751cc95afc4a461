import { afterAll } from 'vitest'
import { describeEmbedder } from '../embedder.suite.ts'
import { openOpenAiEmbedder } from './openai-embedder.ts'
import { configToReach, startEmbeddingsServer } from './testing/embeddings-server.ts'

const server = await startEmbeddingsServer()
afterAll(() => server.close())

describeEmbedder('OpenAI-compatible', () => openOpenAiEmbedder(configToReach(server)))
