// Stands in for the model, so that everything but the model is measured: a vector takes a microsecond.
// Queries of the sample get their own vectors, any other text one of the sample's, chosen by its characters.
import type { Embedder } from '../../packages/server/src/embedding/embedder.ts'
import { calibrationOfBundledModel } from '../../packages/server/src/embedding/model-calibration.ts'
import { bundledModelId } from '../../packages/server/src/embedding/open-embedder.ts'
import { DIMENSION, type Sample } from '../data/sample.ts'

export function readyVectors({ texts, asked }: Sample): Embedder {
  const queries = new Map(asked.map((query) => [query.text, query]))
  const embeddingOf = (text: string) => {
    const known = queries.get(text) ?? texts[numberOf(text) % texts.length]
    if (known === undefined) throw new Error('The sample is empty.')
    const { vector, commonness } = known
    return { vector, commonness }
  }
  return {
    // The folders were filled under the name of the bundled model.
    model: {
      id: bundledModelId(),
      dimension: DIMENSION,
      calibration: calibrationOfBundledModel(),
    },
    embedMemory: async (content) => [
      { start: 0, end: content.length, ...embeddingOf(content), sentences: [] },
    ],
    embedQuery: async (query) => [embeddingOf(query)],
    isReady: () => true,
    close: async () => undefined,
  }
}

function numberOf(text: string): number {
  let number = 0
  for (let place = 0; place < text.length; place += 1) {
    number = (Math.imul(number, 31) + text.charCodeAt(place)) & 0x3fffffff
  }
  return number
}
