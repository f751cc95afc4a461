// The exact answer to a search, computed the slow and obvious way from the rule that store.ts and
// the retrieval layer state: every memory is looked at, nothing is indexed.
import { isQuestionOnly } from '../../retrieval/asking.ts'
import type { Weights } from '../../retrieval/calibration.ts'
import type { Passage, Piece, QueryPart, SearchQuery } from '../../retrieval/evidence.ts'
import { identityOf } from '../../retrieval/identity.ts'
import {
  meaningOf,
  scoreOf,
  similarityOf,
  strengthOf,
  termWeight,
  weightsFor,
} from '../../retrieval/scoring.ts'
import { termsOfPieces } from '../../retrieval/terms.ts'
import { isKnownAsName, nameMark } from '../../retrieval/words/names.ts'
import { meantBy } from '../../retrieval/words/typing-errors.ts'
import type { MemoryRecord, ScoredMemory } from '../records.ts'
import type { MemoryFilter } from '../store.ts'

export type StoredMemory = { memory: MemoryRecord; pieces: Piece[] }

export function exactSearch(
  stored: StoredMemory[],
  query: SearchQuery,
  filter: MemoryFilter,
  { limit, threshold }: { limit: number; threshold: number },
): ScoredMemory[] {
  const score = scorer(stored, query)
  return stored
    .filter(({ memory }) => passes(memory, filter))
    .map((each) => {
      const { metadata: _, ...shown } = each.memory
      return { ...shown, score: score(each) }
    })
    .filter((found) => found.score >= threshold)
    .sort((a, b) => b.score - a.score || b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))
    .slice(0, limit)
}

export const passes = (memory: MemoryRecord, { userId, agentId, tags }: MemoryFilter): boolean =>
  (userId === undefined || memory.userId === userId) &&
  (agentId === undefined || memory.agentId === agentId) &&
  (tags ?? []).every((tag) => memory.tags.includes(tag))

/** A term of the query as the space takes it: any of its forms stands for it. */
type Weighed = { forms: string[]; isName: boolean; weight: number }

/** By which a space with these memories judges the query. */
export const weightsIn = (stored: StoredMemory[], query: SearchQuery): Weights =>
  weightsFor(query.calibration, {
    asks: query.asks,
    hasNames: weigh(stored, query, termsOf(stored)).some(isName),
  })

const termsOf = (stored: StoredMemory[]): Map<Piece | undefined, Set<string>> =>
  new Map(
    stored.flatMap(({ memory, pieces }) =>
      termsOfPieces(memory.content, pieces).map((terms, place) => [pieces[place], new Set(terms)]),
    ),
  )

function scorer(stored: StoredMemory[], query: SearchQuery) {
  const { calibration, parts } = query
  const weights = weightsIn(stored, query)
  const termsByPiece = termsOf(stored)
  const weighed = weigh(stored, query, termsByPiece)
  const names = weighed.filter(isName).length

  function strengthOfPiece({ content }: MemoryRecord, piece: Piece, part: QueryPart): number {
    const similarity = ({ vector, commonness }: Omit<Passage, 'start' | 'end'>): number =>
      similarityOf({ cosine: dot(part.vector, vector), commonness }, calibration, weights)
    const own = similarity(piece)
    const best = piece.sentences.length === 0 ? own : Math.max(...piece.sentences.map(similarity))
    const matched = weighed.filter(({ forms }) =>
      forms.some((form) => termsByPiece.get(piece)?.has(form)),
    )
    const evidence = {
      meaning: meaningOf(own, best, part.commonness, calibration, weights),
      coverage: share(sumOf(matched), sumOf(weighed)),
      nameCoverage: names === 0 ? 0 : matched.filter(isName).length / names,
      isAsking: isQuestionOnly(content),
    }
    return strengthOf(evidence, weights)
  }

  return ({ memory, pieces }: StoredMemory): number => {
    if (identityOf(memory.content) === query.identity) return 1
    const best = parts.map((part) =>
      Math.max(...pieces.map((piece) => strengthOfPiece(memory, piece, part))),
    )
    const nearest = parts.map(({ vector, hasUnknown }) =>
      hasUnknown === true ? 0 : Math.max(...pieces.map((piece) => dot(vector, piece.vector))),
    )
    return scoreOf({ strength: mean(best), cosine: mean(nearest) }, weights)
  }
}

function weigh(
  stored: StoredMemory[],
  { terms }: SearchQuery,
  termsByPiece: Map<Piece | undefined, Set<string>>,
): Weighed[] {
  /** Memories, however many of their pieces have the term. */
  const countOf = (term: string): number =>
    stored.filter(({ pieces }) => pieces.some((piece) => termsByPiece.get(piece)?.has(term))).length
  const isThere = (term: string): boolean => countOf(term) > 0

  const isThereAsName = (term: string): boolean =>
    isKnownAsName(countOf(term), countOf(nameMark(term)))
  const haveName = terms.some(
    ({ term, day, ...asked }) =>
      day === undefined && (asked.isName || asked.isCode || isThereAsName(term)),
  )
  const days = terms.filter(({ day }) => day === 'whole')
  const isOfDay =
    !haveName && days.some(({ term, alternatives }) => [term, ...alternatives].some(isThere))
  const leftOut = isOfDay ? 'part' : 'whole'
  const kept = days.length === 0 ? terms : terms.filter(({ day }) => day !== leftOut)
  const haveCode = kept.some(({ isCode }) => isCode)

  return kept.map(({ term, alternatives, rarity, isKnown, ...asked }) => {
    const isMistyped = !isKnown && !isThere(term)
    const forms = [term, ...alternatives, ...(isMistyped ? meantBy(term, isThere) : [])]
    const isAskedName = asked.isName || asked.day === 'whole' || isThereAsName(term)
    return {
      forms,
      isName: haveCode ? asked.isCode : isAskedName,
      weight: termWeight(rarity, stored.length, Math.max(...forms.map(countOf))),
    }
  })
}

const isName = (term: { isName: boolean }): boolean => term.isName
const sumOf = (terms: { weight: number }[]): number => terms.reduce((sum, t) => sum + t.weight, 0)
const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole)
const mean = (values: number[]): number => values.reduce((a, b) => a + b, 0) / values.length
const dot = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, axis) => sum + value * (b[axis] ?? Number.NaN), 0)
