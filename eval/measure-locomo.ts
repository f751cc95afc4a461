// LoCoMo over HTTP: every turn a memory, every question a search of its conversation, and the same
// question put to the next conversation, whose people it does not concern.
import { inFlight, type MeasuringClient } from './client.ts'
import { type Conversation, type Question, shareSpeakerName } from './locomo.ts'
import { mean, ndcg, recall, shareOf } from './metrics.ts'

const PLACES = 10
const DEFAULT_THRESHOLD = 0.5
const EVERY = 4

/** From the memory's id to the turn's, which are unique only together with the conversation's. */
export type Ingested = { turnOf: Map<string, string>; createMs: number[]; seconds: number }

export async function ingest(
  client: MeasuringClient,
  conversations: readonly Conversation[],
  width: number,
): Promise<Ingested> {
  const turns = conversations.flatMap(({ id, turns }) =>
    turns.map((turn) => ({ ...turn, user: id })),
  )
  const start = performance.now()
  const created = await inFlight(turns, width, ({ user, content }) => client.create(user, content))
  const seconds = (performance.now() - start) / 1000
  return {
    turnOf: new Map(created.map(({ result }, index) => [result, turns[index]?.id ?? ''])),
    createMs: created.map(({ tookMs }) => tookMs),
    seconds,
  }
}

export type LocomoFigures = {
  questions: number
  recall: number
  ndcg: number
  kept: number
  /** Every fourth question put to the next conversation: the share that found anything. */
  falsePlain: number
  /** The same without the pairs in which both conversations have a speaker of the same name. */
  falseNoCommonName: number
  /** The last with every question: more of them, so less left to chance. */
  falseNoCommonNameAll: number
  searchMs: number[]
}

type Asked = {
  recall: number
  ndcg: number
  /** The scores of the evidence among the first ten. */
  evidenceScores: number[]
  foundElsewhere: boolean
  commonName: boolean
  tookMs: number
}

export async function measureLocomo(
  client: MeasuringClient,
  conversations: readonly Conversation[],
  turnOf: ReadonlyMap<string, string>,
  reword: (question: string, conversation: Conversation) => string = (question) => question,
): Promise<LocomoFigures> {
  const asked: Asked[] = []
  for (const [index, conversation] of conversations.entries()) {
    const next = conversations[(index + 1) % conversations.length] ?? conversation
    for (const question of conversation.questions) {
      const reworded = { ...question, text: reword(question.text, conversation) }
      asked.push(await ask(client, reworded, { conversation, next, turnOf }))
    }
  }
  const fourth = asked.filter((_, index) => index % EVERY === 0)
  const scores = asked.flatMap(({ evidenceScores }) => evidenceScores)
  const noCommonName = ({ commonName }: Asked): boolean => !commonName
  const found = ({ foundElsewhere }: Asked): boolean => foundElsewhere
  return {
    questions: asked.length,
    recall: mean(asked.map((one) => one.recall)),
    ndcg: mean(asked.map((one) => one.ndcg)),
    kept: shareOf(scores, (score) => score >= DEFAULT_THRESHOLD),
    falsePlain: shareOf(fourth, found),
    falseNoCommonName: shareOf(fourth.filter(noCommonName), found),
    falseNoCommonNameAll: shareOf(asked.filter(noCommonName), found),
    searchMs: asked.map(({ tookMs }) => tookMs),
  }
}

async function ask(
  client: MeasuringClient,
  { text, evidence }: Question,
  where: { conversation: Conversation; next: Conversation; turnOf: ReadonlyMap<string, string> },
): Promise<Asked> {
  const { conversation, next, turnOf } = where
  const own = await client.search(text, { userId: conversation.id, limit: PLACES, threshold: 0 })
  const turns = own.result.map(({ id }) => turnOf.get(id) ?? '')
  const elsewhere = await client.search(text, { userId: next.id, limit: 1 })
  return {
    recall: recall(turns, evidence),
    ndcg: ndcg(turns, evidence, PLACES),
    evidenceScores: own.result
      .filter((_, place) => evidence.has(turns[place] ?? ''))
      .map(({ score }) => score),
    foundElsewhere: elsewhere.result.length > 0,
    commonName: shareSpeakerName(conversation, next),
    tookMs: own.tookMs,
  }
}
