// The figures of the regression set as a table, and every question that went wrong.
import { DEFAULT_THRESHOLD } from '../retriever.ts'
import {
  type Answered,
  falseShareOf,
  figuresByKind,
  figuresOf,
  type Regression,
  type RegressionFigures,
} from './measure-regression.ts'

const COLUMNS = '                  questions  recall@1  recall@3  nDCG@10  at or above .5'

export function regressionTable({ answered, refused }: Regression): string {
  const rows = [...figuresByKind(answered), ['all', figuresOf(answered)] as const].map(
    ([kind, figures]) => row(kind, figures),
  )
  const unrelated = [...Map.groupBy(refused, ({ kind }) => kind), ['all', refused] as const].map(
    ([kind, ofKind]) =>
      `unrelated, ${kind}: ${falseShareOf(ofKind).toFixed(3)} of ${ofKind.length} find anything`,
  )
  return [COLUMNS, ...rows, ...unrelated].join('\n')
}

function row(kind: string, figures: RegressionFigures): string {
  const { questions, recallAt1, recallAt3, ndcg, above } = figures
  const shares = [recallAt1, recallAt3, ndcg, above].map((share) => share.toFixed(3).padStart(9))
  return `${kind.padEnd(18)}${String(questions).padStart(9)} ${shares.join(' ')}`
}

/** One line for each question whose answer is not first and found, and each that finds too much. */
export function missesOf({ answered, refused }: Regression): string[] {
  const wrong = answered.filter(
    ({ found, answers, answerScores }) =>
      !answers.has(found[0] ?? '') || (answerScores[0] ?? 0) < DEFAULT_THRESHOLD,
  )
  const falselyFound = refused.filter(({ found }) => found !== undefined)
  return [
    ...wrong.map(missLine),
    ...falselyFound.map(
      ({ kind, text, found, score }) =>
        `unrelated, ${kind}: ${text} → ${found} ${score.toFixed(2)}`,
    ),
  ]
}

function missLine({ kind, text, found, answers, answerScores, bestScore }: Answered): string {
  const place = found.findIndex((name) => answers.has(name)) + 1
  const reached = place === 0 ? 'not in 10' : `place ${place}, ${(answerScores[0] ?? 0).toFixed(2)}`
  const first = place === 1 ? '' : `, first is ${found[0]} ${bestScore.toFixed(2)}`
  return `${kind}: ${text} → ${[...answers].join(', ')} ${reached}${first}`
}
