// The methods that the service is compared with. They share an embedder with the product's own model, so that
// only the methods differ. Only this folder and calibration/ import parts of the product.
import { modelFolder } from '@mnemograph/model-bge-small-en'
import { openLocalEmbedder } from '../../packages/server/src/embedding/local/local-embedder.ts'
import type { Retriever } from '../retriever.ts'
import { Bm25 } from './bm25.ts'
import { Dense } from './dense.ts'
import { RankFusion } from './rank-fusion.ts'

export type Baselines = {
  /** Each without texts. Adding texts to the two that rank fusion fuses is enough for it. */
  fresh(): Retriever[]
  embedQuery(query: string): Promise<unknown>
  close(): Promise<void>
}

export async function openBaselines(): Promise<Baselines> {
  const embedder = await openLocalEmbedder({ folder: modelFolder, workers: 1 })
  return {
    fresh() {
      const methods = [new Bm25(), new Dense(embedder)]
      return [...methods, new RankFusion(methods)]
    },
    embedQuery: (query) => embedder.embedQuery(query),
    close: () => embedder.close(),
  }
}
