// The model alone, on the same kind of texts and in the same run: nothing that embeds can be faster.
import { openModel } from '../data/model.ts'

export async function embeddingAlone(texts: readonly string[]): Promise<number[]> {
  await using embedder = await openModel(1)
  await embedder.embedMemory('The first run of a model is slower than the others.')
  const tookMs: number[] = []
  for (const text of texts) {
    const start = performance.now()
    await embedder.embedMemory(text)
    tookMs.push(performance.now() - start)
  }
  return tookMs
}
