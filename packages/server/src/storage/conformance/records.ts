// Records for the cases: valid, different from each other, and with what a case says about them.
import type { Calibration } from '../../retrieval/calibration.ts'
import type { Passage, Piece, QueryTerm, SearchQuery } from '../../retrieval/evidence.ts'
import type { EntityRecord, MemoryRecord, RelationRecord } from '../records.ts'
import type { Receipt } from '../store.ts'

/** A receipt that commits nothing besides the write. */
export const NO_RECEIPT: Receipt = {}

export const FIRST_PAGE = { page: 1, limit: 100 }

let made = 0

function identity(prefix: 'mem' | 'ent' | 'rel'): { id: string; createdAt: number } {
  made += 1
  return { id: `${prefix}_${String(made).padStart(8, '0')}`, createdAt: 1_700_000_000_000 + made }
}

export const memoryOf = (fields: Partial<MemoryRecord> = {}): MemoryRecord => ({
  ...identity('mem'),
  content: 'Anna prefers dark roast coffee.',
  userId: 'anna',
  agentId: undefined,
  tags: [],
  metadata: undefined,
  ...fields,
})

export const entityOf = (fields: Partial<EntityRecord> = {}): EntityRecord => ({
  ...identity('ent'),
  name: 'Anna',
  type: 'PERSON',
  description: undefined,
  metadata: undefined,
  ...fields,
})

export const relationOf = (
  ends: Pick<RelationRecord, 'sourceId' | 'targetId'>,
  fields: Partial<RelationRecord> = {},
): RelationRecord => ({
  ...identity('rel'),
  type: 'KNOWS',
  metadata: undefined,
  ...ends,
  ...fields,
})

/** One piece over the whole content, in the direction of the given numbers. */
export const pieceOf = (
  content: string,
  direction: number[] = [1, 0, 0, 0, 0],
  fields: Partial<Piece> = {},
): Piece => ({ ...passageOf(0, content.length, direction), sentences: [], ...fields })

export const passageOf = (
  start: number,
  end: number,
  direction: number[],
  commonness?: number,
): Passage => ({ start, end, vector: unit(direction), commonness })

const WEIGHTS = {
  coverage: 0.25,
  names: 0.125,
  askingMemory: 0.0625,
  commonness: { memory: 0.25, query: 0.25 },
  border: 0.5,
  sharpness: 8,
}

/** Every number counts, and none of them is that of a model. */
export const CALIBRATION: Calibration = {
  version: 3,
  cosine: { scale: 0.5, offset: 0.25 },
  sentence: { share: 0.5, lead: 0.0625 },
  commonnessTypical: 0.5,
  asking: WEIGHTS,
  nameless: { ...WEIGHTS, coverage: 0.125, names: 0, border: 0.4375 },
  stating: { ...WEIGHTS, coverage: 0.0625, border: 0.5625 },
}

/** A statement without words, in the direction of the given numbers. */
export const queryOf = (
  direction: number[],
  { commonness, ...fields }: Partial<SearchQuery> & { commonness?: number } = {},
): SearchQuery => ({
  parts: [{ vector: unit(direction), commonness }],
  terms: [],
  asks: false,
  // Of no text.
  identity: '',
  calibration: CALIBRATION,
  ...fields,
})

export const termOf = (term: string, fields: Partial<QueryTerm> = {}): QueryTerm => ({
  term,
  word: term,
  alternatives: [],
  isName: false,
  isCode: false,
  rarity: 3,
  isKnown: true,
  ...fields,
})

/** Of length one. */
export function unit(direction: number[]): Float32Array {
  const length = Math.hypot(...direction) || 1
  return Float32Array.from(direction, (part) => part / length)
}

/** Texts that a careless driver changes. Lone surrogates and NUL never reach a store. */
export const TEXTS: [name: string, text: string][] = [
  ['emoji beyond the basic plane', '👩‍👩‍👧‍👦 🇩🇪 🫠'],
  ['combining marks that are not composed', 'e\u0301 and \u00e9, \u1100\u1161 and \uac00'],
  ['newlines of every kind', 'a\nb\r\nc\rd\u2028e\u0085f'],
  ['quotes and signs of query languages', `'; DROP TABLE memories; -- " \` \\ % _ $1 ? {}`],
  ['white space at both ends', ' \t text\u00a0\u3000 '],
  ['control characters, a byte order mark and the last code point', '\u0001\u001f\ufeff\u{10ffff}'],
  ['right-to-left and Han', 'שלום مرحبا 你好'],
  ['10,000 code points', `${'𝕏🙂a'.repeat(3_333)}𝕏`],
]
