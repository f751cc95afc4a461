// Memories of one space in this process, and the evidence that they have for a query, by the product's own
// embedder, terms, rarities and weights of terms.
import type { Embedder } from '../../packages/server/src/embedding/embedder.ts'
import { isQuestionOnly } from '../../packages/server/src/retrieval/asking.ts'
import type { Passage, QueryPart } from '../../packages/server/src/retrieval/evidence.ts'
import { rarityInEnglish } from '../../packages/server/src/retrieval/rarity.ts'
import type { Nearness } from '../../packages/server/src/retrieval/scoring.ts'
import { searchQueryOf } from '../../packages/server/src/retrieval/search-query.ts'
import { type WeighedTerm, weighTerms } from '../../packages/server/src/retrieval/weighing.ts'
import {
  type PieceWithTerms,
  withTerms,
} from '../../packages/server/src/storage/pieces-with-terms.ts'
import type { Text } from '../retriever.ts'
import type { MemoryEvidence, PieceEvidence } from './evidence.ts'

export type { Embedder }
export type Candidate = { id: string; evidence: MemoryEvidence }

type Memory = { id: string; isAsking: boolean; pieces: PieceWithTerms[] }

const rarity = rarityInEnglish()

export class EvidenceSpace {
  readonly #embedder: Embedder
  /** How many memories have each term. */
  readonly #memoriesWith = new Map<string, number>()
  readonly #users = new Map<string, Memory[]>()
  #memories = 0

  constructor(embedder: Embedder) {
    this.#embedder = embedder
  }

  /** Later texts are newer. */
  async add(user: string, texts: readonly Text[]): Promise<void> {
    const memories = this.#users.get(user) ?? []
    this.#users.set(user, memories)
    for (const { id, content } of texts) {
      const embedded = await this.#embedder.embedMemory(content)
      const pieces = withTerms(content, embedded)
      for (const term of new Set(pieces.flatMap(({ terms }) => terms))) {
        this.#memoriesWith.set(term, (this.#memoriesWith.get(term) ?? 0) + 1)
      }
      memories.push({ id, isAsking: isQuestionOnly(content), pieces })
      this.#memories += 1
    }
  }

  /** The evidence of each user's memories, the newest first. */
  async evidence(users: readonly string[], text: string): Promise<Candidate[][]> {
    const parts = await this.#embedder.embedQuery(text)
    const [part] = parts
    if (part === undefined || parts.length > 1) throw new Error('A query is too long.')
    const { terms, asks } = searchQueryOf(text, parts, rarity, this.#embedder.model.calibration)
    const memoriesWith = (term: string): number => this.#memoriesWith.get(term) ?? 0
    const weighed = weighTerms(terms, this.#memories, memoriesWith)
    const names = weighed.filter(({ isName }) => isName)
    const query = { asks, hasNames: names.length > 0, commonness: part.commonness }
    const evidenceOf = ({ terms: own, sentences, ...piece }: PieceWithTerms): PieceEvidence => ({
      own: nearness(piece, part),
      sentences: sentences.map((sentence) => nearness(sentence, part)),
      coverage: weighed.filter(isIn(own)).reduce((sum, { share }) => sum + share, 0),
      nameCoverage: names.length === 0 ? 0 : names.filter(isIn(own)).length / names.length,
    })
    return users.map((user) =>
      (this.#users.get(user) ?? []).toReversed().map(({ id, isAsking, pieces }) => ({
        id,
        evidence: { query, isAsking, pieces: pieces.map(evidenceOf) },
      })),
    )
  }
}

const isIn =
  (terms: readonly string[]) =>
  ({ forms }: WeighedTerm): boolean =>
    forms.some((form) => terms.includes(form))

function nearness({ vector, commonness }: Passage, query: QueryPart): Nearness {
  const cosine = vector.reduce((sum, value, axis) => sum + value * (query.vector[axis] ?? 0), 0)
  return { cosine, commonness }
}
