// The regression set over HTTP: all memories belong to one user, every question is asked once.
import { inFlight } from '../client.ts'
import { DEFAULT_THRESHOLD, type Hit, type Retriever } from '../retriever.ts'
import { mean, ndcg, recall, shareOf } from '../statistics/metrics.ts'
import { type KnownQuestion, MEMORIES, QUESTIONS, UNRELATED } from './regression-set.ts'

const PLACES = 10
const USER = 'regression'

export type Answered = {
  kind: string
  /** The names of the first ten memories, whatever their score. */
  found: string[]
  answers: ReadonlySet<string>
  /** The scores of the answers among the first ten, best first. */
  answerScores: number[]
  bestScore: number
  text: string
}

type Refused = { kind: string; text: string; found: string | undefined; score: number }

export type RegressionFigures = {
  questions: number
  recallAt1: number
  recallAt3: number
  ndcg: number
  /** Share of the answers that the default threshold lets through. */
  above: number
}

export type Regression = { answered: Answered[]; refused: Refused[] }

export async function measureRegression(retriever: Retriever): Promise<Regression> {
  const texts = Object.entries(MEMORIES).map(([id, content]) => ({ id, content }))
  await retriever.add(USER, texts)
  const search = (query: string) => retriever.search(USER, query, { limit: PLACES, threshold: 0 })
  const answered = await inFlight(QUESTIONS, 2, async (question) =>
    judge(question, await search(question.text)),
  )
  const refused = await inFlight(UNRELATED, 2, async ({ kind, text }) => {
    const best = (await search(text))[0]
    const isFound = best !== undefined && best.score >= DEFAULT_THRESHOLD
    return { kind, text, found: isFound ? best.id : undefined, score: best?.score ?? 0 }
  })
  return { answered, refused }
}

function judge(question: KnownQuestion, found: readonly Hit[]): Answered {
  const answers = new Set(question.answers)
  return {
    kind: question.kind,
    text: question.text,
    answers,
    found: found.map(({ id }) => id),
    answerScores: found.filter(({ id }) => answers.has(id)).map(({ score }) => score),
    bestScore: found[0]?.score ?? 0,
  }
}

export function figuresOf(answered: readonly Answered[]): RegressionFigures {
  const recallAt = (places: number): number =>
    mean(answered.map(({ found, answers }) => recall(found.slice(0, places), answers)))
  const answers = answered.reduce((sum, one) => sum + one.answers.size, 0)
  const above = answered
    .flatMap(({ answerScores }) => answerScores)
    .filter((score) => score >= DEFAULT_THRESHOLD)
  return {
    questions: answered.length,
    recallAt1: recallAt(1),
    recallAt3: recallAt(3),
    ndcg: mean(answered.map(({ found, answers }) => ndcg(found, answers, PLACES))),
    above: above.length / answers,
  }
}

/** The figures of each kind, in the order of the set. */
export const figuresByKind = (answered: readonly Answered[]): [string, RegressionFigures][] =>
  [...Map.groupBy(answered, ({ kind }) => kind)].map(([kind, ofKind]) => [kind, figuresOf(ofKind)])

/** The share of the unrelated questions that found anything. */
export const falseShareOf = (refused: readonly Refused[]): number =>
  shareOf(refused, ({ found }) => found !== undefined)
