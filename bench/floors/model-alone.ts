// The model alone, on the same kind of texts and in the same run: nothing that embeds can be faster.
import { modelFolder } from '@mnemograph/model-bge-small-en'
import { openLocalEmbedder } from '../../packages/server/src/embedding/local/local-embedder.ts'

export async function embeddingAlone(texts: readonly string[]): Promise<number[]> {
  const embedder = await openLocalEmbedder({ folder: modelFolder, workers: 1 })
  try {
    await embedder.embedMemory('The first run of a model is slower than the others.')
    const tookMs: number[] = []
    for (const text of texts) {
      const start = performance.now()
      await embedder.embedMemory(text)
      tookMs.push(performance.now() - start)
    }
    return tookMs
  } finally {
    await embedder.close()
  }
}
