// The exact answer to a search, computed the slow and obvious way from the rule that store.ts and
// the retrieval layer state: every memory is looked at, nothing is indexed.
import type { Piece, SearchQuery } from '../../retrieval/evidence.ts'
import { isKnownAsName, nameMark } from '../../retrieval/names.ts'
import { scoreOf, termWeight } from '../../retrieval/scoring.ts'
import { termsOfMemory } from '../../retrieval/terms.ts'
import type { MemoryFilter, MemoryRecord, ScoredMemory } from '../store.ts'

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

function scorer(stored: StoredMemory[], { vectors, terms, asks }: SearchQuery) {
  const termsOf = new Map(
    stored.map(({ memory }) => [memory.id, new Set(termsOfMemory(memory.content))]),
  )
  const countOf = (term: string) => [...termsOf.values()].filter((set) => set.has(term)).length
  const weighed = terms.map(({ term, rarity, isName }) => ({
    term,
    isName: isName || isKnownAsName(countOf(term), countOf(nameMark(term))),
    weight: termWeight(rarity, stored.length, countOf(term)),
  }))
  const names = weighed.filter(isName).length
  return ({ memory, pieces }: StoredMemory): number => {
    const matched = weighed.filter(({ term }) => termsOf.get(memory.id)?.has(term))
    return scoreOf({
      similarity: mean(vectors.map((part) => Math.max(...pieces.map((p) => dot(part, p.vector))))),
      coverage: share(sumOf(matched), sumOf(weighed)),
      nameCoverage: names === 0 ? undefined : matched.filter(isName).length / names,
      asks,
    })
  }
}

const isName = (term: { isName: boolean }): boolean => term.isName
const sumOf = (terms: { weight: number }[]): number => terms.reduce((sum, t) => sum + t.weight, 0)
const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole)
const mean = (values: number[]): number => values.reduce((a, b) => a + b, 0) / values.length
const dot = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, axis) => sum + value * (b[axis] ?? Number.NaN), 0)
