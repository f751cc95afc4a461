// From configuration to the embedder that it asks for.
import { modelFolder } from '@mnemograph/model-bge-small-en'
import type { EmbedderConfig } from '../config.ts'
import type { Embedder } from './embedder.ts'
import { openLocalEmbedder } from './local/local-embedder.ts'
import { openOpenAiEmbedder } from './openai/openai-embedder.ts'

/** Resolves when it can embed. Throws an EmbedderRefusal when it cannot be started. */
export async function openEmbedder(config: EmbedderConfig): Promise<Embedder> {
  if (config.kind === 'openai') return openOpenAiEmbedder(config)
  return openLocalEmbedder({ folder: modelFolder, workers: config.workers })
}
