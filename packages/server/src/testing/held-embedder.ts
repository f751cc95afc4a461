// A model that embeds no memory until it is let go: whatever a test does meanwhile happens while creates are
// under way.
import type { Embedder } from '../embedding/embedder.ts'
import { fakeEmbedder } from './fake-embedder.ts'

export function heldEmbedder() {
  const fake = fakeEmbedder()
  const { promise: released, resolve: letGo } = Promise.withResolvers<void>()
  let begun = 0
  const embedder: Embedder = {
    ...fake,
    async embedMemory(content) {
      begun += 1
      await released
      return fake.embedMemory(content)
    },
  }
  return { embedder, letGo, begun: () => begun }
}
