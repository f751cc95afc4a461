// What a search answers with: the rows of the best memories, and where it is asked for, why each has its score.
import type { Explanation, TextSpan } from '../../../retrieval/explanation.ts'
import type { Ranked } from '../../ranking/ranking.ts'
import type { ScoredMemory } from '../../records.ts'
import { prepared, type Transaction } from '../connection/transaction.ts'
import type { MemoryRow } from '../memory-rows.ts'
import type { Place } from './evidence.ts'
import type { EvidenceRanking } from './evidence-ranking.ts'
import { listedMemories } from './listed.ts'

const RESULTS = prepared<Omit<MemoryRow, 'metadata'> & { no: number }>(
  `SELECT no, id, content, user_id, agent_id, tags, created_at FROM ${listedMemories('$2')}`,
)
const SPAN = prepared<TextSpan>(
  `SELECT start_offset AS start, end_offset AS "end" FROM pieces
   WHERE space_no = $1 AND generation = $2 AND memory_no = $3 AND part = $4`,
)

/** In the order of the ranking. `explains` is what explains it. */
export async function scoredMemories(
  transaction: Transaction,
  place: Place,
  ranked: readonly Ranked[],
  explains: EvidenceRanking | undefined,
): Promise<ScoredMemory[]> {
  if (ranked.length === 0) return []
  const rows = await transaction.all(RESULTS, [place.space, ranked.map(({ no }) => no)])
  const byNo = new Map(rows.map((row) => [row.no, row]))
  const results: ScoredMemory[] = []
  for (const each of ranked) {
    const row = byNo.get(each.no)
    if (row === undefined) continue
    const result: ScoredMemory = {
      id: row.id,
      content: row.content,
      score: each.score,
      userId: row.user_id,
      agentId: row.agent_id ?? undefined,
      tags: row.tags,
      createdAt: row.created_at,
    }
    if (explains !== undefined) {
      result.explanation = await explanationOf(transaction, place, explains, each)
    }
    results.push(result)
  }
  return results
}

async function explanationOf(
  transaction: Transaction,
  { space, generation }: Place,
  ranking: EvidenceRanking,
  ranked: Ranked,
): Promise<Explanation | undefined> {
  const explained = await ranking.explain(ranked)
  if (explained === undefined) return undefined
  const { sentencePart, ...rest } = explained
  const [sentence] = await transaction.all(SPAN, [space, generation, ranked.no, sentencePart])
  return sentence && { ...rest, sentence }
}
