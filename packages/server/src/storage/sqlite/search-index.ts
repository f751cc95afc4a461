// What a search needs of one space, in memory: vectors, terms and the columns that filters look at.
// Rebuilt from the rows whenever it is missing, so the rows stay the only truth; changes arrive
// after their commit and may arrive twice, which changes nothing.
import type { SearchQuery } from '../../retrieval/evidence.ts'
import { isKnownAsName, nameMark } from '../../retrieval/names.ts'
import { scoreOf, termWeight } from '../../retrieval/scoring.ts'
import type { MemoryFilter, SpaceId } from '../store.ts'
import { type Ranked, Ranking } from './ranking.ts'

export type IndexedMemory = {
  no: number
  id: string
  userId: string
  agentId: string | undefined
  tags: string[]
  createdAt: number
  terms: string[]
}

export type IndexChange =
  | { kind: 'added'; space: SpaceId; memory: IndexedMemory; vectors: Float32Array[] }
  | { kind: 'removed'; space: SpaceId; no: number }

type Entry = IndexedMemory & { vectors: Float32Array[] }
type Match = { coverage: number; nameCoverage: number }

export class SearchIndex {
  readonly #entries = new Map<number, Entry>()
  readonly #byUser = new Map<string, Set<Entry>>()
  readonly #byTerm = new Map<string, Set<Entry>>()
  #bytes = 0

  /** About what the index holds in memory. */
  get bytes(): number {
    return this.#bytes
  }

  add(memory: IndexedMemory, vectors: Float32Array[]): void {
    if (this.#entries.has(memory.no)) return
    const entry = { ...memory, vectors }
    this.#entries.set(memory.no, entry)
    addTo(this.#byUser, memory.userId, entry)
    for (const term of memory.terms) addTo(this.#byTerm, term, entry)
    this.#bytes += sizeOf(entry)
  }

  remove(no: number): void {
    const entry = this.#entries.get(no)
    if (entry === undefined) return
    this.#entries.delete(no)
    removeFrom(this.#byUser, entry.userId, entry)
    for (const term of entry.terms) removeFrom(this.#byTerm, term, entry)
    this.#bytes -= sizeOf(entry)
  }

  /** Scores every memory that passes the filter: nothing is cut before it was ranked. */
  search(
    query: SearchQuery,
    filter: MemoryFilter,
    cut: { limit: number; threshold: number },
  ): Ranked[] {
    const { matches, hasNames } = this.#matches(query)
    const ranking = new Ranking(cut.limit)
    for (const entry of this.#candidates(filter)) {
      const score = scoreOf({
        similarity: similarity(query.vectors, entry.vectors),
        coverage: matches.get(entry)?.coverage ?? 0,
        nameCoverage: hasNames ? (matches.get(entry)?.nameCoverage ?? 0) : undefined,
        asks: query.asks,
      })
      if (score >= cut.threshold) ranking.offer(score, entry)
    }
    return ranking.best()
  }

  *#candidates({ userId, agentId, tags = [] }: MemoryFilter): Generator<Entry> {
    const entries = userId === undefined ? this.#entries.values() : (this.#byUser.get(userId) ?? [])
    for (const entry of entries) {
      if (agentId !== undefined && entry.agentId !== agentId) continue
      if (!tags.every((tag) => entry.tags.includes(tag))) continue
      yield entry
    }
  }

  /** The shares of the query's terms and names that each memory has, for those that have any. */
  #matches({ terms }: SearchQuery): { matches: Map<Entry, Match>; hasNames: boolean } {
    const matches = new Map<Entry, Match>()
    const weighed = terms.map(({ term, rarity, isName: isWrittenAsName }) => {
      const having = this.#byTerm.get(term) ?? new Set<Entry>()
      const marked = this.#byTerm.get(nameMark(term))?.size ?? 0
      const isName = isWrittenAsName || isKnownAsName(having.size, marked)
      return { having, isName, weight: termWeight(rarity, this.#entries.size, having.size) }
    })
    const weights = weighed.reduce((sum, { weight }) => sum + weight, 0)
    const names = weighed.filter(({ isName }) => isName).length
    for (const { having, isName, weight } of weighed) {
      for (const entry of having) {
        const match = matches.get(entry) ?? { coverage: 0, nameCoverage: 0 }
        match.coverage += weight / weights
        if (isName) match.nameCoverage += 1 / names
        matches.set(entry, match)
      }
    }
    return { matches, hasNames: names > 0 }
  }
}

/** The best piece for each part of the query, averaged over the parts. */
function similarity(query: Float32Array[], pieces: Float32Array[]): number {
  let sum = 0
  for (const part of query) {
    let best = -1
    for (const piece of pieces) best = Math.max(best, dot(part, piece))
    sum += best
  }
  return sum / query.length
}

/** Two sums at a time, which the processor adds side by side. */
function dot(a: Float32Array, b: Float32Array): number {
  let even = 0
  let odd = 0
  for (let i = 0; i < a.length; i += 2) {
    even += (a[i] ?? 0) * (b[i] ?? 0)
    odd += (a[i + 1] ?? 0) * (b[i + 1] ?? 0)
  }
  return even + odd
}

const sizeOf = ({ vectors, terms }: Entry): number =>
  500 + vectors.length * ((vectors[0]?.byteLength ?? 0) + 100) + terms.length * 60

function addTo<Key>(map: Map<Key, Set<Entry>>, key: Key, entry: Entry): void {
  const entries = map.get(key)
  if (entries === undefined) map.set(key, new Set([entry]))
  else entries.add(entry)
}

function removeFrom<Key>(map: Map<Key, Set<Entry>>, key: Key, entry: Entry): void {
  const entries = map.get(key)
  entries?.delete(entry)
  if (entries?.size === 0) map.delete(key)
}
