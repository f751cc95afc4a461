// What a search needs of one space, in memory: vectors, terms and the columns that filters look at.
// Rebuilt from the rows whenever it is missing, so the rows stay the only truth; changes arrive
// after their commit and may arrive twice, which changes nothing.
import type { SearchQuery } from '../../retrieval/evidence.ts'
import { isKnownAsName, nameMark } from '../../retrieval/names.ts'
import { scoreOf, termWeight } from '../../retrieval/scoring.ts'
import type { MemoryFilter, SpaceId } from '../store.ts'
import { type Ranked, Ranking } from './ranking.ts'
import { VectorTable } from './vector-table.ts'

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

/** `pieces` are rows of the table of vectors. */
type Entry = IndexedMemory & { pieces: number[] }
type Match = { coverage: number; nameCoverage: number }

export class SearchIndex {
  readonly #entries = new Map<number, Entry>()
  readonly #byUser = new Map<string, Set<Entry>>()
  readonly #byTerm = new Map<string, Set<Entry>>()
  readonly #vectors = new VectorTable()
  #bytes = 0

  /** About what the index holds in memory. */
  get bytes(): number {
    return this.#bytes + this.#vectors.bytes
  }

  add(memory: IndexedMemory, vectors: Float32Array[]): void {
    if (this.#entries.has(memory.no)) return
    const entry = { ...memory, pieces: vectors.map((vector) => this.#vectors.add(vector)) }
    this.#entries.set(memory.no, entry)
    addTo(this.#byUser, memory.userId, entry)
    for (const term of memory.terms) addTo(this.#byTerm, term, entry)
    this.#bytes += sizeOf(entry)
  }

  remove(no: number): void {
    const entry = this.#entries.get(no)
    if (entry === undefined) return
    this.#entries.delete(no)
    for (const piece of entry.pieces) this.#vectors.remove(piece)
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
    for (const entry of this.#entriesOf(filter.userId)) {
      if (!passes(entry, filter)) continue
      const match = matches.get(entry)
      const score = scoreOf({
        similarity: this.#similarity(query.vectors, entry.pieces),
        coverage: match?.coverage ?? 0,
        nameCoverage: hasNames ? (match?.nameCoverage ?? 0) : undefined,
        asks: query.asks,
      })
      if (score >= cut.threshold) ranking.offer(score, entry)
    }
    return ranking.best()
  }

  #entriesOf(userId: string | undefined): Iterable<Entry> {
    return userId === undefined ? this.#entries.values() : (this.#byUser.get(userId) ?? [])
  }

  /** The best piece for each part of the query, averaged over the parts. */
  #similarity(query: Float32Array[], pieces: number[]): number {
    let sum = 0
    for (const part of query) {
      let best = -1
      for (const piece of pieces) best = Math.max(best, this.#vectors.dot(piece, part))
      sum += best
    }
    return sum / query.length
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

const passes = (entry: Entry, { agentId, tags }: MemoryFilter): boolean =>
  (agentId === undefined || entry.agentId === agentId) &&
  (tags === undefined || tags.every((tag) => entry.tags.includes(tag)))

/** Beside its vectors. */
const sizeOf = ({ terms, tags, pieces }: Entry): number =>
  500 + (terms.length + tags.length) * 60 + pieces.length * 8

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
