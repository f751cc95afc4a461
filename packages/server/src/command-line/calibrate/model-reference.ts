// The reference of a model: how it sees two thousand words, each embedded as a memory would be.
import type { Embedder } from '../../embedding/embedder.ts'
import { referenceBytes, referenceWords } from '../../embedding/reference.ts'
import { embedInTurn } from './embed-in-turn.ts'

/** What its file holds. */
export async function referenceOf(
  embedder: Embedder,
  words: readonly string[] = referenceWords(),
): Promise<Buffer> {
  const vectors = await embedInTurn(words, async (word) => {
    const [piece] = await embedder.embedMemory(word)
    if (piece === undefined) throw new Error('The model gave no vector for a word.')
    return piece.vector
  })
  return referenceBytes(vectors)
}
