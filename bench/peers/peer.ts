// What a peer has to do to be compared: hold the memories of the benchmark, and find the ten nearest to a
// vector under the same filters, with their texts. Each is used as its own documentation says, with an exact
// scan where it offers one, so that no speed is bought with missing results.
import type { MemoryFilter } from '../../packages/server/src/storage/store.ts'
import type { Filling } from '../data/filled-store.ts'
import type { Sample } from '../data/sample.ts'

export const FOUND = 10

/** It is closed at the end of its block. */
export type OpenPeer = AsyncDisposable & {
  /** Resolves to the ids of the nearest, nearest first. */
  search(vector: Float32Array, filter: MemoryFilter): Promise<string[]>
}

export type Peer = {
  name: string
  version: string
  /** The most memories that it can be filled with in reasonable time. */
  memoriesMax: number
  /** What it does not promise, or does differently. */
  note?: string
  /** Fills an empty folder. */
  fill(directory: string, memories: PeerMemories): Promise<void>
  open(directory: string): Promise<OpenPeer>
}

/** The first `size` memories of the benchmark, which the filled stores hold too. */
export type PeerMemories = { sample: Sample; size: Filling['size'] }

export type PeerRow = {
  number: number
  id: string
  content: string
  userId: string
  tags: string[]
  vector: Float32Array
}
