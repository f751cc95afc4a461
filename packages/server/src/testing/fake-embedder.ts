// A model for tests: instant, deterministic, and texts with common words are similar. No setting
// reaches it; only code that is handed to `start` as a substitute does.
import { createHash } from 'node:crypto'
import { type Embedder, toUnitLength } from '../embedding/embedder.ts'
import { calibrationOfBundledModel } from '../embedding/model-calibration.ts'
import { termsOfMemory } from './terms-of-memory.ts'

export const FAKE_DIMENSION = 64

export const fakeEmbedder = (): Embedder => ({
  model: { id: 'fake', dimension: FAKE_DIMENSION, calibration: calibrationOfBundledModel() },
  embedMemory: async (content) => [
    { start: 0, end: content.length, ...embeddingOf(content), sentences: [] },
  ],
  embedQuery: async (query) => [embeddingOf(query)],
  isReady: () => true,
  close: async () => undefined,
})

const embeddingOf = (text: string) => ({ vector: vectorOf(text), commonness: undefined })

/** Every word adds a direction of its own; a text without words points along the first axis. */
function vectorOf(text: string): Float32Array {
  const sum = new Float32Array(FAKE_DIMENSION)
  const words = termsOfMemory(text)
  if (words.length === 0) sum[0] = 1
  for (const word of words) {
    const bytes = createHash('sha512').update(word).digest()
    for (let axis = 0; axis < FAKE_DIMENSION; axis += 1) {
      sum[axis] = (sum[axis] ?? 0) + (bytes.readUInt8(axis) - 127.5) / 127.5
    }
  }
  return toUnitLength(sum)
}
