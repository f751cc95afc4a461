// How the weights and borders of the score are derived from questions (LoCoMo) and statements (STS, stated-parts.ts).
//
//   asking   weights: recall@10 + nDCG@10, as long as kept reaches KEPT_MIN, at the cut at which
//            FALSE_MAX of the strangers' questions find anything; each point that it lacks costs
//            PENALTY points. border: that cut.
//   stating  weights: Spearman with people's ratings, as long as PARTS_MIN of the statements of a
//            part of a long sentence are found at the border; each point that lacks costs PENALTY
//            points. border: the lowest at which UNRELATED_MAX of the pairs rated 1 and less are
//            found.
//
// What a sentence counts within its piece, and the weight of a memory that only asks, are not fitted:
// the table of ablations shows what they are worth.
import { mean, shareOf } from '../metrics.ts'
import type { JudgedScores, JudgePairs, JudgeQuestions } from './asked.ts'
import { withBorderAt, withLikeliestSharpness } from './border.ts'
import { climb, type Weights as Numbers } from './coordinate-search.ts'
import { cutAt, falseCut, keptAt } from './cut.ts'
import type { Calibration } from './evidence.ts'
import { agreement, SAME, UNRELATED } from './figures.ts'

const FALSE_MAX = 0.03
const KEPT_MIN = 0.95
const PARTS_MIN = 0.95
const PENALTY = 3
const UNRELATED_MAX = 0.05

type Weights = Calibration['asking']

export function fitAsking(
  judge: JudgeQuestions,
  start: Calibration,
  isUsed: (judged: JudgedScores) => boolean = () => true,
): Calibration {
  const judgeUsed = (asking: Weights): JudgedScores[] => judge({ ...start, asking }).filter(isUsed)
  const weights = climbOf(start.asking, (asking) => worth(judgeUsed(asking)))
  const asking = withBorderAt(falseCut(judgeUsed(weights), FALSE_MAX), weights)
  const judged = judgeUsed(asking)
  const scores = {
    related: judged.flatMap(({ evidenceScores }) => evidenceScores),
    unrelated: judged.map(({ bestElsewhere }) => bestElsewhere),
  }
  return { ...start, asking: withLikeliestSharpness(scores, asking) }
}

function worth(judged: readonly JudgedScores[]): number {
  const kept = keptAt(judged, falseCut(judged, FALSE_MAX))
  const found = mean(judged.map(({ recall, ndcg }) => recall + ndcg))
  return found - PENALTY * Math.max(0, KEPT_MIN - kept)
}

/** `judgeParts` judges the statements of parts. */
export function fitStating(
  judge: JudgePairs,
  judgeParts: JudgePairs,
  start: Calibration,
): Calibration {
  const scoresOf = (stating: Weights, fits: (rating: number) => boolean): number[] =>
    judge({ ...start, stating })
      .filter(({ rating }) => fits(rating))
      .map(({ score }) => score)
  const isUnrelated = (rating: number): boolean => rating <= UNRELATED
  const cutOf = (stating: Weights): number => cutAt(scoresOf(stating, isUnrelated), UNRELATED_MAX)
  const weights = climbOf(start.stating, (stating) => {
    const cut = cutOf(stating)
    const found = shareOf(judgeParts({ ...start, stating }), ({ score }) => score >= cut)
    return agreement(judge({ ...start, stating })) - PENALTY * Math.max(0, PARTS_MIN - found)
  })
  const cut = cutOf(weights)
  const stating = withBorderAt(cut, weights)
  const scores = {
    related: scoresOf(stating, (rating) => rating >= SAME),
    unrelated: scoresOf(stating, isUnrelated),
  }
  return { ...start, stating: withLikeliestSharpness(scores, stating) }
}

function climbOf(start: Weights, objective: (weights: Weights) => number): Weights {
  const toWeights = ({ memory = 0, query = 0, ...numbers }: Numbers): Weights => ({
    ...start,
    ...numbers,
    commonness: { memory, query },
  })
  const { coverage, names, commonness } = start
  const numbers = { coverage, names, ...commonness }
  return toWeights(climb(numbers, (some) => objective(toWeights(some))))
}
