// A model that embeds no memory until it is let go: whatever a test does meanwhile happens while creates are
// under way. Closed, it refuses them like any other.
import { type Embedder, EmbedderUnavailable } from '../embedding/embedder.ts'
import { fakeEmbedder } from './fake-embedder.ts'

export function heldEmbedder() {
  const fake = fakeEmbedder()
  const { promise: released, resolve: letGo, reject } = Promise.withResolvers<void>()
  released.catch(() => undefined)
  let begun = 0
  const embedder: Embedder = {
    ...fake,
    async embedMemory(content) {
      begun += 1
      await released
      return fake.embedMemory(content)
    },
    async close() {
      reject(new EmbedderUnavailable('The embedder is closed.'))
    },
  }
  return { embedder, letGo, begun: () => begun }
}
