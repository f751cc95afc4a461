// What turns texts into vectors. Every implementation is held to one suite: unit length, the same
// text always gives the same vector, whatever it was embedded together with.
import type { Calibration } from '../retrieval/calibration.ts'
import type { Piece, QueryPart } from '../retrieval/evidence.ts'
import type { Urgency } from './urgent-first.ts'

/** `patient`, the default, for a single memory; `bulk` for many for which nobody waits. */
type MemoryUrgency = Exclude<Urgency, 'urgent'>

export interface Embedder {
  readonly model: { id: string; dimension: number; calibration: Calibration }
  /**
   * The whole text in overlapping pieces that respect sentence borders: every character is in at
   * least one. Behind all others when it is part of a bulk; those who ask take turns. Rejects with an
   * EmbedderUnavailable.
   */
  embedMemory(content: string, urgency?: MemoryUrgency, asker?: number): Promise<Piece[]>
  /**
   * One part per piece of the query, ahead of any memory that waits unless it has many. A query may be
   * remembered, but for the same asker alone: else a fast answer would tell one what another has asked.
   * Rejects with the signal's reason when that comes while it waits for the model; what was begun is finished.
   */
  embedQuery(query: string, asker?: number, signal?: AbortSignal): Promise<QueryPart[]>
  /** Whether a text would be embedded now, of an asker who has none under way. */
  isReady(): boolean
  close(): Promise<void>
}

/** The model cannot answer: its queue is full, its worker died or its service is away. */
export class EmbedderUnavailable extends Error {
  override readonly name = 'EmbedderUnavailable'
  /** Whether the same text can be embedded later, without anybody's doing. */
  readonly isTransient: boolean

  /** What its cause says of that holds, when it says something. */
  constructor(message: string, cause?: unknown, { isTransient = !isLasting(cause) } = {}) {
    super(message, { cause })
    this.isTransient = isTransient
  }

  /** The cause in words, which hold neither a text nor a key. */
  get reason(): string {
    return this.cause instanceof Error ? this.cause.message : this.message
  }
}

const isLasting = (cause: unknown): boolean =>
  cause instanceof Error && 'isTransient' in cause && cause.isTransient === false

/** The embedder cannot be started, and a person has to do something. The message says what. */
export class EmbedderRefusal extends Error {
  override readonly name = 'EmbedderRefusal'

  constructor(message: string, cause?: unknown) {
    super(message, { cause })
  }
}

/** Scales to length one, so that a dot product is a cosine. */
export function toUnitLength(vector: Float32Array): Float32Array {
  const length = lengthOf(vector)
  return length === 0 ? vector : vector.map((value) => value / length)
}

/** False for what scaling cannot mend: zeros, NaN and numbers beyond 32 bits. */
export const hasUnitLength = (vector: Float32Array): boolean =>
  Math.abs(lengthOf(vector) - 1) < 1e-3

/** A loop, since `Math.hypot` of some hundred numbers takes twenty times as long. */
function lengthOf(vector: Float32Array): number {
  let squares = 0
  for (let axis = 0; axis < vector.length; axis += 1) squares += (vector[axis] ?? 0) ** 2
  return Math.sqrt(squares)
}
