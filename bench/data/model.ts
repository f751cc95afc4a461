import { modelFolder } from '@mnemograph/model-bge-small-en'
import { readConfig } from '../../packages/server/src/config.ts'
import type { Embedder } from '../../packages/server/src/embedding/embedder.ts'
import { openLocalEmbedder } from '../../packages/server/src/embedding/local/local-embedder.ts'

/** As many as the service starts by itself on this machine. */
export const { workers: WORKERS } = readConfig({}).embedding

/** The bundled model, which is closed at the end of its block. */
export async function openModel(workers = WORKERS): Promise<Embedder & AsyncDisposable> {
  const embedder = await openLocalEmbedder({ folder: modelFolder, workers })
  return Object.assign(embedder, { [Symbol.asyncDispose]: () => embedder.close() })
}
