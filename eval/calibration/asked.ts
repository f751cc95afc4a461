// The questions of LoCoMo and the pairs of STS: their evidence is gathered once, and judged under any
// calibration in a moment.
import { type Conversation, shareSpeakerName } from '../locomo.ts'
import { BURIED_FACTS, longTexts } from '../long-texts.ts'
import type { Judged } from '../measure-locomo.ts'
import { ndcg, recall, shareOf } from '../metrics.ts'
import type { RatedPair } from '../sts.ts'
import { bestTen, PLACES } from './best-ten.ts'
import { type Calibration, type MemoryEvidence, scoreUnder } from './evidence.ts'
import { type Candidate, type Embedder, EvidenceSpace } from './evidence-space.ts'

const LONG = 10_000

/** `bestElsewhere` is the highest score in the conversation that the question does not concern. */
export type JudgedScores = Omit<Judged, 'foundElsewhere'> & { bestElsewhere: number }
export type JudgeQuestions = (calibration: Calibration) => JudgedScores[]

type Asked = {
  conversation: string
  hasCommonName: boolean
  wanted: ReadonlySet<string>
  own: Candidate[]
  elsewhere: Candidate[]
}

/** All conversations are users of one space, as in the measurement over HTTP. */
export async function askQuestions(
  conversations: readonly Conversation[],
  embedder: Embedder,
): Promise<JudgeQuestions> {
  const space = new EvidenceSpace(embedder)
  for (const { id, turns } of conversations) await space.add(id, turns)
  const asked: Asked[] = []
  for (const [index, conversation] of conversations.entries()) {
    const next = conversations[(index + 1) % conversations.length] ?? conversation
    const hasCommonName = shareSpeakerName(conversation, next)
    for (const { text, evidence: wanted } of conversation.questions) {
      const [own = [], elsewhere = []] = await space.evidence([conversation.id, next.id], text)
      asked.push({ conversation: conversation.id, hasCommonName, wanted, own, elsewhere })
    }
  }
  return (calibration) => {
    const score = scoreUnder(calibration)
    return asked.map((one) => judge(one, score))
  }
}

function judge(
  { conversation, hasCommonName, wanted, own, elsewhere }: Asked,
  score: (evidence: MemoryEvidence) => number,
): JudgedScores {
  const hits = bestTen(own.map(({ id, evidence }) => ({ id, score: score(evidence) })))
  const ids = hits.map(({ id }) => id)
  return {
    conversation,
    hasCommonName,
    recall: recall(ids, wanted),
    ndcg: ndcg(ids, wanted, PLACES),
    evidenceScores: hits.filter(({ id }) => wanted.has(id)).map((hit) => hit.score),
    bestElsewhere: elsewhere.reduce((best, one) => Math.max(best, score(one.evidence)), 0),
  }
}

export type RatedScore = { rating: number; score: number }
export type JudgePairs = (calibration: Calibration) => RatedScore[]

/** The first sentence of a pair is the only memory of a user, the second the query. */
export async function askPairs(
  pairs: readonly RatedPair[],
  embedder: Embedder,
): Promise<JudgePairs> {
  const space = new EvidenceSpace(embedder)
  for (const [index, { first }] of pairs.entries()) {
    await space.add(`${index}`, [{ id: `${index}`, content: first }])
  }
  const asked: { rating: number; evidence: MemoryEvidence }[] = []
  for (const [index, { second, rating }] of pairs.entries()) {
    const [[only] = []] = await space.evidence([`${index}`], second)
    if (only !== undefined) asked.push({ rating, evidence: only.evidence })
  }
  return (calibration) => {
    const score = scoreUnder(calibration)
    return asked.map(({ rating, evidence }) => ({ rating, score: score(evidence) }))
  }
}

/** The share of questions in other words whose fact in a long text comes first. */
export type JudgeLong = (calibration: Calibration) => number

export async function askLong(embedder: Embedder): Promise<JudgeLong> {
  const space = new EvidenceSpace(embedder)
  const texts = longTexts(LONG).map((content, index) => ({ id: `${index}`, content }))
  await space.add('long', texts)
  const asked: Candidate[][] = []
  for (const { otherWords } of BURIED_FACTS) {
    asked.push(...(await space.evidence(['long'], otherWords)))
  }
  return (calibration) => {
    const score = scoreUnder(calibration)
    const first = asked.map((candidates) =>
      bestTen(candidates.map(({ id, evidence }) => ({ id, score: score(evidence) }))).at(0),
    )
    return shareOf([...first.entries()], ([index, hit]) => hit?.id === `${index}`)
  }
}
