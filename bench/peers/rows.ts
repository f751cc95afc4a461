// The memories of the benchmark in batches, in the form that peers take.
import { memoryAt } from '../data/memories.ts'
import type { PeerMemories, PeerRow } from './peer.ts'

const BATCH = 2_000

export function* batchesOf({ sample, size }: PeerMemories, batch = BATCH): Generator<PeerRow[]> {
  for (let from = 0; from < size; from += batch) {
    const count = Math.min(batch, size - from)
    yield Array.from({ length: count }, (_, place) => rowAt(sample, from + place, size))
  }
}

function rowAt(sample: PeerMemories['sample'], number: number, size: number): PeerRow {
  const { memory, pieces } = memoryAt(sample, number, size, 'plain')
  const [piece] = pieces
  if (piece === undefined) throw new Error('A memory has no vector.')
  const { id, content, userId, tags } = memory
  return { number, id, content, userId, tags, vector: piece.vector }
}
