// The exact hybrid ranking of a whole space: each memory scored from its exact vectors and all its terms, by
// the functions that define the score. Unlike storage/conformance/oracle.ts, against which its test compares
// it, it takes one memory after the other and scores it for all queries, so that a million of them need not
// fit in memory.
import { isQuestionOnly } from '../../packages/server/src/retrieval/asking.ts'
import type { Weights } from '../../packages/server/src/retrieval/calibration.ts'
import type { Piece, QueryPart, SearchQuery } from '../../packages/server/src/retrieval/evidence.ts'
import { identityOf } from '../../packages/server/src/retrieval/identity.ts'
import {
  meaningOf,
  type Nearness,
  scoreOf,
  similarityOf,
  strengthOf,
  weightsFor,
} from '../../packages/server/src/retrieval/scoring.ts'
import { termsOfPieces } from '../../packages/server/src/retrieval/terms.ts'
import {
  namesIn,
  type WeighedTerm,
  weighTerms,
} from '../../packages/server/src/retrieval/weighing.ts'
import { cosineOf } from '../../packages/server/src/storage/ranking/cosine.ts'
import { Ranking } from '../../packages/server/src/storage/ranking/ranking.ts'
import type { Stored } from '../data/memories.ts'

const NOTHING: ReadonlySet<string> = new Set()

/** The best `limit` memories for each query. `memoryAt` is called twice for each number. */
export function exactRankings(
  memories: { size: number; memoryAt: (number: number) => Stored },
  queries: readonly SearchQuery[],
  limit: number,
): { id: string; score: number }[][] {
  const counts = countTerms(memories)
  const ids: string[] = []
  const idOf = ({ no }: { no: number }): string => ids[no] ?? ''
  const asked = queries.map((query) => {
    const terms = weighTerms(query.terms, memories.size, (term) => counts.get(term) ?? 0)
    return { query, terms, ranking: new Ranking(limit, idOf) }
  })
  const wanted = new Set(asked.flatMap(({ terms }) => terms.flatMap(({ forms }) => forms)))
  for (let no = 0; no < memories.size; no += 1) {
    const { memory, pieces } = memories.memoryAt(no)
    const { id, createdAt, content } = memory
    ids[no] = id
    const terms = termsIn(content, pieces, wanted)
    const known = {
      pieces: pieces.map((piece, place) => ({ piece, terms: terms[place] })),
      identity: identityOf(content),
      isAsking: isQuestionOnly(content),
    }
    for (const { query, terms: weighed, ranking } of asked) {
      ranking.offer(scoreIn(known, query, weighed), { no, createdAt })
    }
  }
  return asked.map(({ ranking }) =>
    ranking.best().map((ranked) => ({ id: idOf(ranked), score: ranked.score })),
  )
}

/** In how many memories each term is. */
function countTerms({ size, memoryAt }: Parameters<typeof exactRankings>[0]): Map<string, number> {
  const counts = new Map<string, number>()
  for (let number = 0; number < size; number += 1) {
    const { memory, pieces } = memoryAt(number)
    for (const term of new Set(termsOfPieces(memory.content, pieces).flat())) {
      counts.set(term, (counts.get(term) ?? 0) + 1)
    }
  }
  return counts
}

/** The terms of each piece that any query asks for. */
const termsIn = (content: string, pieces: Piece[], wanted: ReadonlySet<string>): Set<string>[] =>
  termsOfPieces(content, pieces).map((terms) => new Set(terms.filter((term) => wanted.has(term))))

type Known = {
  pieces: { piece: Piece; terms: ReadonlySet<string> | undefined }[]
  identity: string
  isAsking: boolean
}

const weightsOf = ({ calibration, asks }: SearchQuery, terms: readonly WeighedTerm[]): Weights =>
  weightsFor(calibration, { asks, hasNames: namesIn(terms) > 0 })

function scoreIn(memory: Known, query: SearchQuery, terms: readonly WeighedTerm[]): number {
  if (memory.identity === query.identity) return 1
  const weights = weightsOf(query, terms)
  const strengths = query.parts.map((part) =>
    Math.max(...memory.pieces.map((each) => strengthIn(memory, each, query, part, terms))),
  )
  const cosines = query.parts.map(({ vector }) =>
    Math.max(...memory.pieces.map(({ piece }) => cosineOf(vector, piece.vector))),
  )
  return scoreOf({ strength: mean(strengths), cosine: mean(cosines) }, weights)
}

function strengthIn(
  { isAsking }: Known,
  { piece, terms: has = NOTHING }: Known['pieces'][number],
  query: SearchQuery,
  part: QueryPart,
  terms: readonly WeighedTerm[],
): number {
  const { calibration } = query
  const weights = weightsOf(query, terms)
  const similarity = ({ vector, commonness }: QueryPart): number => {
    const nearness: Nearness = { cosine: cosineOf(part.vector, vector), commonness }
    return similarityOf(nearness, calibration, weights)
  }
  const own = similarity(piece)
  const best = piece.sentences.length === 0 ? own : Math.max(...piece.sentences.map(similarity))
  const matched = terms.filter(({ forms }) => forms.some((form) => has.has(form)))
  const names = namesIn(terms)
  return strengthOf(
    {
      meaning: meaningOf(own, best, part.commonness, calibration, weights),
      coverage: matched.reduce((sum, { share }) => sum + share, 0),
      nameCoverage: names === 0 ? 0 : namesIn(matched) / names,
      isAsking,
    },
    weights,
  )
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length
