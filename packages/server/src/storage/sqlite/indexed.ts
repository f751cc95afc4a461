// What the writer and the rows tell the search index.
import type { SpaceId } from '../store.ts'

export type IndexedMemory = {
  no: number
  id: string
  userId: string
  agentId: string | undefined
  tags: string[]
  createdAt: number
}

export type IndexedPiece = {
  /** Its place among the rows of the memory. */
  part: number
  terms: string[]
  /** Of the piece, then of its sentences. */
  embeddings: { vector: Float32Array; commonness: number | undefined }[]
}

export type IndexChange =
  | {
      kind: 'added'
      space: SpaceId
      memory: IndexedMemory
      /** Of the vectors. */
      generation: number
      pieces: IndexedPiece[]
    }
  | { kind: 'removed'; space: SpaceId; no: number }
