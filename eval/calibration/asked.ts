// The questions and pairs of each data set. Their evidence is gathered once, after which judging it under
// another calibration takes a moment.
import { EVERYDAY_SETS, type EverydaySet, everydayPeople } from '../data/everyday.ts'
import { type Conversation, shareSpeakerName } from '../data/locomo.ts'
import { BURIED_FACTS, longTexts } from '../data/long-texts.ts'
import type { RatedPair, RatedScore } from '../data/sts.ts'
import type { Judged } from '../measures/locomo.ts'
import { ndcg, recall, shareOf } from '../statistics/metrics.ts'
import { bestTen, PLACES } from './best-ten.ts'
import { type Calibration, type MemoryEvidence, scoreUnder } from './evidence.ts'
import { type Candidate, type Embedder, EvidenceSpace } from './evidence-space.ts'

const LONG = 10_000

/** `bestElsewhere` is the highest score in a conversation that the question does not concern. */
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

/** The scores of everyday questions without names; those with names are not judged by `nameless`. */
export type EverydayScores = {
  set: EverydaySet
  /** The score of the memory that answers; undefined if none does. */
  answer: number | undefined
  /** The scores of the person's other memories. */
  others: number[]
  /** For a question on something else, the highest score in a whole conversation. */
  bestInConversation: number | undefined
}
export type JudgeEveryday = (calibration: Calibration) => EverydayScores[]

type EverydayAsked = {
  set: EverydaySet
  answer: Candidate | undefined
  others: Candidate[]
  conversation: Candidate[]
}

/** Questions on something else are put to one of the conversations as well. */
export async function askEveryday(
  conversations: readonly Conversation[],
  embedder: Embedder,
): Promise<JudgeEveryday> {
  const talk = new EvidenceSpace(embedder)
  for (const { id, turns } of conversations) await talk.add(id, turns)
  const asked: EverydayAsked[] = []
  for (const set of EVERYDAY_SETS) {
    const space = new EvidenceSpace(embedder)
    const people = everydayPeople(set)
    for (const [person, { memories }] of people.entries()) {
      const texts = memories.map(({ content }, at) => ({ id: `${at}`, content }))
      await space.add(`${person}`, texts)
    }
    for (const [person, { memories, near, far }] of people.entries()) {
      const ask = async (question: string, answer?: number, conversation?: Conversation) => {
        const [own = []] = await space.evidence([`${person}`], question)
        const isAnswer = ({ id }: Candidate): boolean => id === `${answer}`
        const [elsewhere = []] =
          conversation === undefined ? [] : await talk.evidence([conversation.id], question)
        asked.push({
          set,
          answer: own.find(isAnswer),
          others: own.filter((one) => !isAnswer(one)),
          conversation: elsewhere,
        })
      }
      for (const [at, { questions }] of memories.entries()) {
        for (const question of questions) await ask(question, at)
      }
      for (const question of near) await ask(question)
      for (const [at, question] of far.entries()) {
        await ask(question, undefined, conversations[at % conversations.length])
      }
    }
  }
  const nameless = asked.filter(({ others: [one] }) => isNameless(one))
  return (calibration) => {
    const score = scoreUnder(calibration)
    const scores = (of: readonly Candidate[]): number[] => of.map(({ evidence }) => score(evidence))
    return nameless.map(({ set, answer, others, conversation }) => ({
      set,
      answer: answer && score(answer.evidence),
      others: scores(others),
      bestInConversation: conversation.length === 0 ? undefined : Math.max(...scores(conversation)),
    }))
  }
}

const isNameless = (one: Candidate | undefined): boolean =>
  one?.evidence.query.asks === true && !one.evidence.query.hasNames

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
