// An index of memories at hand, which tells what it reads of them.
import type { Calibration } from '../../../retrieval/calibration.ts'
import type { SearchQuery } from '../../../retrieval/evidence.ts'
import { termOf } from '../../conformance/records.ts'
import { SearchIndex } from '../index/search-index.ts'
import type { IndexedPiece } from '../index/tables/indexed.ts'
import { Workspace } from '../index/tables/workspace.ts'

const WEIGHTS = {
  coverage: 0.25,
  names: 0.15,
  askingMemory: 0.04,
  commonness: { memory: 0.3, query: 0.3 },
  border: 0.43,
}
export const calibrationOf = (scale: number, sharpness: number): Calibration => ({
  version: 3,
  // The same text is near enough whatever the scale.
  cosine: { scale, offset: 0.8 - scale },
  sentence: { share: 0.5, lead: 0.05 },
  commonnessTypical: 0.6,
  asking: { ...WEIGHTS, sharpness },
  nameless: { ...WEIGHTS, coverage: 0.1, border: 0.31, sharpness },
  stating: { ...WEIGHTS, border: 0.38, sharpness },
})

/** Of a query. */
export const term = (word: string) =>
  termOf(word, { alternatives: word === 'tea' ? ['milk'] : [], isName: word === 'dusk' })

/** Without parts and words, until a test gives it some. */
export const PLAIN: SearchQuery = {
  parts: [],
  terms: [],
  asks: false,
  identity: '=',
  calibration: calibrationOf(1, 15),
}

export type Given = {
  user: string
  agentId: string | undefined
  tags: string[]
  createdAt: number
  pieces: IndexedPiece[]
}

export function indexOf(workspace = new Workspace()) {
  const stored = new Map<number, IndexedPiece[]>()
  const reads: number[] = []
  const piecesOf = (no: number): IndexedPiece[] => {
    reads.push(no)
    return stored.get(no) ?? []
  }
  const termsOf = (no: number) => (stored.get(no) ?? []).map((piece) => piece.terms)
  const index = new SearchIndex({ piecesOf, termsOf, idOf: String }, workspace)
  const known = new Map<number, Given>()
  return {
    index,
    reads,
    known,
    add(no: number, given: Given): void {
      const { pieces } = given
      const { user: userId, agentId, tags, createdAt } = given
      index.add({ no, userId, agentId, tags, createdAt }, pieces)
      known.set(no, given)
      stored.set(no, pieces)
    },
    /** From the database; the index hears of it when the returned function is called. */
    remove(no: number): () => void {
      const { user: userId = '', agentId, tags = [], pieces = [] } = known.get(no) ?? {}
      const all = new Set(pieces.flatMap((piece) => piece.terms))
      known.delete(no)
      stored.delete(no)
      return () => index.remove({ no, userId, agentId, tags, terms: [...all] })
    },
  }
}
