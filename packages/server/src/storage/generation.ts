// Which model made the vectors of a store, and what moves a store to another one. Vectors of two
// models cannot be compared, so they come in generations: one is in use, a second can grow beside
// it, and one small commit switches from the first to the second. Whoever inserts or searches says
// which generation their vectors belong to; after a switch the store refuses the old ones, so that
// no instance of the server goes on with a model that is not in use.
// decisions/2026-11-21-reembedding.md
import type { Piece } from '../retrieval/evidence.ts'
import type { SpaceId } from './records.ts'

/** Where a model is opened from. Never holds a secret. */
export type ModelSource =
  | { kind: 'bundled' }
  | { kind: 'local'; folder: string }
  | { kind: 'openai'; baseUrl: string; model: string }

export type VectorModel = {
  id: string
  dimension: number
  /** How texts were cut and prepared. Vectors of one model that differ in it can be compared. */
  piecesVersion: number
  /** Undefined when the store was made before it was noted. */
  source: ModelSource | undefined
}

/** Numbers grow; the number of a discarded generation is never used again. */
export type Generation = VectorModel & { number: number }

/** What a server needs to know. */
export interface GenerationStore {
  /** What any process committed before the call; undefined in a store that has no model yet. */
  current(): Promise<Generation | undefined>
  /**
   * Gives a store without a model this one. When the store has it already, notes where it is found
   * now. Changes nothing when the store has another model. Returns the generation in use.
   */
  adopt(model: VectorModel): Promise<Generation>
}

/** Which memory, by the driver's numbers. Memories of two spaces may have the same one. */
type MemoryRef = { space: SpaceId; no: number }

/** A memory without pieces of the generation that grows. `ref` has a meaning only for the driver. */
export type Unembedded = { ref: MemoryRef; id: string; content: string }

/** Pieces of the generation that grows, for the memory of the `ref`. */
export type Embedded = { ref: MemoryRef; pieces: Piece[] }

type ReembeddingState = {
  current: Generation | undefined
  growing: Generation | undefined
  /** Pieces of a generation that was in use, or that was discarded, are still to be removed. */
  hasRetired: boolean
}

type ReembeddingProgress = { memories: number; embedded: number }

/**
 * What moves a store to another model, from a process of its own, beside servers that read and
 * write. Every call is a short transaction, and after each of them the process may die: the next
 * one goes on from there. At most one such process has a store open for it.
 */
export interface ReembeddingStore {
  state(): Promise<ReembeddingState>
  /** How far the generation that grows has come. Looks at every memory: for the start of a run. */
  progress(): Promise<ReembeddingProgress>
  /**
   * Begins a generation. Only when nothing grows and nothing is retired. On a shared database that waits for
   * whoever has the vectors for long, such as a backup: `onWait` hears of each try that was in vain, and `stop`
   * ends it, which rejects with its reason.
   */
  begin(
    model: VectorModel,
    waiting?: { stop: AbortSignal; onWait: () => void },
  ): Promise<Generation>
  /** Notes where the model of the generation that grows is found now. */
  locate(source: ModelSource | undefined): Promise<void>
  /**
   * Memories without pieces of the generation that grows, until there are `memoriesMax` of them or
   * their contents reach `charactersMax`. None when each has pieces, but for what is created meanwhile.
   */
  missing(limits: { memoriesMax: number; charactersMax: number }): Promise<Unembedded[]>
  /** Adds pieces to the generation that grows, in one commit. Skips what was deleted meanwhile. */
  add(embedded: Embedded[]): Promise<void>
  /**
   * Puts the generation that grows in the place of the one in use, which is retired, unless a memory
   * lacks new pieces: the check and the switch are one transaction. Up to `restMax` memories are
   * embedded inside of it, so that the switch comes about under an unending stream of creates; it
   * is given up when that takes longer than `waitMsMax`. Whether it was made. Rejects with what
   * `embed` rejects with.
   */
  switchOver(rest: {
    restMax: number
    waitMsMax: number
    embed: (content: string) => Promise<Piece[]>
  }): Promise<boolean>
  /** Gives up the generation that grows; its pieces are retired. */
  discard(): Promise<void>
  /** Removes some pieces of what is retired. Whether there is more. */
  removeRetired(): Promise<boolean>
  close(): Promise<void>
}
