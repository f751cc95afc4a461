// How the weights and borders of the score are derived from questions (LoCoMo), questions that name nothing
// (everyday.ts) and statements (STS, stated-parts.ts).
//
//   asking   weights: recall@10 + nDCG@10, as long as kept reaches KEPT_MIN, at the cut at which
//            FALSE_MAX of the strangers' questions find anything; each point that it lacks costs
//            PENALTY points. border: that cut.
//   nameless weights: the share of questions that find what answers them, less BESIDE of what is found
//            beside it, at the cut at which FAR_MAX of the questions on something else find anything in
//            a conversation of some six hundred turns. border: that cut.
//   stating  weights: Spearman with people's ratings, as long as PARTS_MIN of the statements of a
//            part of a long sentence are found at the border; each point that lacks costs PENALTY
//            points. border: the lowest at which UNRELATED_MAX of the pairs rated 1 and less are
//            found.
//
// What a sentence counts within its piece, and the weight of a memory that only asks, are not fitted:
// the table of ablations shows what they are worth.

import { agreement, SAME, UNRELATED } from '../data/sts.ts'
import { mean, shareOf } from '../statistics/metrics.ts'
import type {
  EverydayScores,
  JudgedScores,
  JudgeEveryday,
  JudgePairs,
  JudgeQuestions,
} from './asked.ts'
import { withBorderAt, withLikeliestSharpness } from './border.ts'
import { climb, type Weights as Numbers } from './coordinate-search.ts'
import { cutAt, falseCut, keptAt } from './cut.ts'
import type { Calibration } from './evidence.ts'
import { everydayAt } from './figures.ts'

const FALSE_MAX = 0.03
const KEPT_MIN = 0.95
const PARTS_MIN = 0.95
const FAR_MAX = 0.1
const BESIDE = 0.5
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

export function fitNameless(
  judge: JudgeEveryday,
  start: Calibration,
  isUsed: (judged: EverydayScores) => boolean = () => true,
): Calibration {
  // The questions on something else belong to no set of answers: all are used.
  const judgedBy = (nameless: Weights) => {
    const judged = judge({ ...start, nameless })
    const far = judged.flatMap(({ bestInConversation }) => bestInConversation ?? [])
    return { judged: judged.filter(isUsed), cut: cutAt(far, FAR_MAX) }
  }
  const weights = climbOf(start.nameless, (nameless) => {
    const { judged, cut } = judgedBy(nameless)
    const { found, beside } = everydayAt(judged, cut)
    return found - BESIDE * beside
  })
  return { ...start, nameless: withBorderAt(judgedBy(weights).cut, weights) }
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
