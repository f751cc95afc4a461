// LoCoMo: each turn is a memory, and each question a search of its conversation and of the next one, whose
// people it does not concern. EVALUATION.md has the definitions.

import { type Conversation, type Question, shareSpeakerName } from '../data/locomo.ts'
import type { Retriever } from '../retriever.ts'
import { bootstrap, type Estimate } from '../statistics/bootstrap.ts'
import { mean, ndcg, recall, shareOf } from '../statistics/metrics.ts'

const PLACES = 10
const EVERY = 4

export type Judged = {
  conversation: string
  recall: number
  ndcg: number
  /** The scores of the evidence among the first ten. */
  evidenceScores: number[]
  /** Undefined when the method has no threshold. */
  foundElsewhere: boolean | undefined
  /** Whether a speaker of this conversation has the name of one of the next. */
  hasCommonName: boolean
}

/** Asks about conversations that were added before, one search at a time. */
export async function judgeLocomo(
  retriever: Retriever,
  conversations: readonly Conversation[],
  reword: (question: string, conversation: Conversation) => string = (question) => question,
): Promise<Judged[]> {
  const judged: Judged[] = []
  for (const [index, conversation] of conversations.entries()) {
    const next = conversations[(index + 1) % conversations.length] ?? conversation
    for (const question of conversation.questions) {
      const reworded = { ...question, text: reword(question.text, conversation) }
      judged.push(await judge(retriever, reworded, { conversation, next }))
    }
  }
  return judged
}

async function judge(
  retriever: Retriever,
  { text, evidence }: Question,
  { conversation, next }: { conversation: Conversation; next: Conversation },
): Promise<Judged> {
  const hits = await retriever.search(conversation.id, text, { limit: PLACES, threshold: 0 })
  const turns = hits.map(({ id }) => id)
  const searchElsewhere = async (): Promise<boolean> =>
    (await retriever.search(next.id, text, { limit: 1 })).length > 0
  return {
    conversation: conversation.id,
    recall: recall(turns, evidence),
    ndcg: ndcg(turns, evidence, PLACES),
    evidenceScores: hits.filter(({ id }) => evidence.has(id)).map(({ score }) => score),
    foundElsewhere: retriever.threshold === undefined ? undefined : await searchElsewhere(),
    hasCommonName: shareSpeakerName(conversation, next),
  }
}

/** For methods without a threshold, the figures that need one are absent. */
export type LocomoFigures = {
  questions: number
  recall: Estimate
  ndcg: Estimate
  kept?: Estimate
  /** Every fourth question, as the goal is stated. */
  false?: Estimate
  /** Every question, without pairs of conversations that have a speaker's name in common. */
  falseNoCommonName?: Estimate
  /** recall, nDCG and kept of each conversation alone. */
  conversations: { id: string; recall: number; ndcg: number; kept?: number }[]
}

export function locomoFigures(
  judged: readonly Judged[],
  threshold: number | undefined,
): LocomoFigures {
  const meanRecall = (some: readonly Judged[]): number => mean(some.map((one) => one.recall))
  const meanNdcg = (some: readonly Judged[]): number => mean(some.map((one) => one.ndcg))
  const kept = (some: readonly Judged[]): number =>
    shareOf(
      some.flatMap(({ evidenceScores }) => evidenceScores),
      (score) => score >= (threshold ?? 0),
    )
  const found = (some: readonly Judged[]): number =>
    shareOf(some, ({ foundElsewhere }) => foundElsewhere === true)
  const strangers = judged.filter(({ hasCommonName }) => !hasCommonName)
  return {
    questions: judged.length,
    recall: bootstrap(judged, meanRecall),
    ndcg: bootstrap(judged, meanNdcg),
    ...(threshold !== undefined && {
      kept: bootstrap(judged, kept),
      false: bootstrap(every(judged, EVERY), found),
      falseNoCommonName: bootstrap(strangers, found),
    }),
    conversations: [...Map.groupBy(judged, ({ conversation }) => conversation)].map(
      ([id, own]) => ({
        id,
        recall: meanRecall(own),
        ndcg: meanNdcg(own),
        ...(threshold !== undefined && { kept: kept(own) }),
      }),
    ),
  }
}

const every = <Item>(items: readonly Item[], step: number): Item[] =>
  items.filter((_, index) => index % step === 0)
