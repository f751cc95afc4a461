// Memories of one space in this process, and all that they show for a query: the product's embedder,
// terms, rarities and index of terms.
import type { Embedder } from '../../packages/server/src/embedding/embedder.ts'
import { isQuestionOnly } from '../../packages/server/src/retrieval/asking.ts'
import type { Passage, QueryPart } from '../../packages/server/src/retrieval/evidence.ts'
import { rarityInEnglish } from '../../packages/server/src/retrieval/rarity.ts'
import type { Nearness } from '../../packages/server/src/retrieval/scoring.ts'
import { searchQueryOf } from '../../packages/server/src/retrieval/search-query.ts'
import {
  type PieceWithTerms,
  withTerms,
} from '../../packages/server/src/storage/pieces-with-terms.ts'
import { TermIndex } from '../../packages/server/src/storage/sqlite/term-index.ts'
import type { Text } from '../retriever.ts'
import type { MemoryEvidence, PieceEvidence } from './evidence.ts'

export type { Embedder }
export type Candidate = { id: string; evidence: MemoryEvidence }

/** `number` is that in the index of terms. */
type NumberedPiece = PieceWithTerms & { number: number }
type Memory = { id: string; isAsking: boolean; pieces: NumberedPiece[] }

const rarity = rarityInEnglish()

export class EvidenceSpace {
  readonly #embedder: Embedder
  readonly #terms = new TermIndex()
  readonly #users = new Map<string, Memory[]>()
  #memories = 0
  #pieces = 0

  constructor(embedder: Embedder) {
    this.#embedder = embedder
  }

  /** Later texts are newer. */
  async add(user: string, texts: readonly Text[]): Promise<void> {
    const memories = this.#users.get(user) ?? []
    this.#users.set(user, memories)
    for (const { id, content } of texts) {
      const embedded = await this.#embedder.embedMemory(content)
      const pieces = withTerms(content, embedded).map((piece) => ({
        ...piece,
        number: this.#pieces++,
      }))
      this.#terms.add(
        pieces.map(({ number }) => number),
        pieces.map(({ terms }) => terms),
      )
      memories.push({ id, isAsking: isQuestionOnly(content), pieces })
      this.#memories += 1
    }
  }

  /** For each of the users, newest memory first. */
  async evidence(users: readonly string[], text: string): Promise<Candidate[][]> {
    const parts = await this.#embedder.embedQuery(text)
    const [part] = parts
    if (part === undefined || parts.length > 1) throw new Error('A query is too long.')
    const { terms, asks } = searchQueryOf(text, parts, rarity, this.#embedder.model.calibration)
    const weighed = this.#terms.weigh(terms, this.#memories)
    const coverage = new Float64Array(this.#pieces)
    const nameCoverage = new Float64Array(this.#pieces)
    this.#terms.match(weighed, { coverage, nameCoverage })
    const hasNames = weighed.some(({ isName }) => isName)
    const query = { asks, commonness: part.commonness }
    const evidenceOf = ({ number, sentences, ...own }: NumberedPiece): PieceEvidence => ({
      own: nearness(own, part),
      sentences: sentences.map((sentence) => nearness(sentence, part)),
      coverage: coverage[number] ?? 0,
      nameCoverage: hasNames ? (nameCoverage[number] ?? 0) : undefined,
    })
    return users.map((user) =>
      (this.#users.get(user) ?? []).toReversed().map(({ id, isAsking, pieces }) => ({
        id,
        evidence: { query, isAsking, pieces: pieces.map(evidenceOf) },
      })),
    )
  }
}

function nearness({ vector, commonness }: Passage, query: QueryPart): Nearness {
  const cosine = vector.reduce((sum, value, axis) => sum + value * (query.vector[axis] ?? 0), 0)
  return { cosine, commonness }
}
