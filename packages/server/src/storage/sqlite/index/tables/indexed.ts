// What the writer and the rows tell the search index.
import type { SpaceId } from '../../../records.ts'

export type IndexedMemory = {
  no: number
  userId: string
  agentId: string | undefined
  tags: string[]
  createdAt: number
}

export type IndexedPiece = {
  terms: string[]
  /** Of the piece, then of its sentences. */
  embeddings: { vector: Float32Array; commonness: number | undefined }[]
}

/** As it was: everything by which the index knows it. */
export type RemovedMemory = Omit<IndexedMemory, 'createdAt'> & {
  /** Of all its pieces, each once. */
  terms: string[]
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
  | { kind: 'removed'; space: SpaceId; memory: RemovedMemory; generation: number }
