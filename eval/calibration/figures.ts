// The figures of a calibration at the default threshold.

import { agreement, type RatedScore, SAME, UNRELATED } from '../data/sts.ts'
import { DEFAULT_THRESHOLD } from '../retriever.ts'
import { mean, shareOf } from '../statistics/metrics.ts'
import type { EverydayScores, JudgedScores } from './asked.ts'
import { keptAt } from './cut.ts'

export const questionFigures = (judged: readonly JudgedScores[]) => ({
  'recall@10': mean(judged.map(({ recall }) => recall)),
  'nDCG@10': mean(judged.map(({ ndcg }) => ndcg)),
  kept: keptAt(judged, DEFAULT_THRESHOLD),
  'false, no common speaker name': shareOf(
    judged.filter(({ hasCommonName }) => !hasCommonName),
    ({ bestElsewhere }) => bestElsewhere >= DEFAULT_THRESHOLD,
  ),
})

/**
 * For questions that a memory answers: how often it is found at the cut, and how many others are found
 * besides.
 */
export function everydayAt(judged: readonly EverydayScores[], cut: number) {
  const answered = judged.filter(({ answer }) => answer !== undefined)
  return {
    found: shareOf(answered, ({ answer = 0 }) => answer >= cut),
    beside: mean(answered.map(({ others }) => others.filter((score) => score >= cut).length)),
  }
}

export const everydayFigures = (judged: readonly EverydayScores[]) => ({
  'found of the everyday questions': everydayAt(judged, DEFAULT_THRESHOLD).found,
  'found beside it': everydayAt(judged, DEFAULT_THRESHOLD).beside,
  'anything found in a conversation about something else': shareOf(
    judged.flatMap(({ bestInConversation }) => bestInConversation ?? []),
    (score) => score >= DEFAULT_THRESHOLD,
  ),
})

const found = ({ score }: RatedScore): boolean => score >= DEFAULT_THRESHOLD

export const pairFigures = (rated: readonly RatedScore[]) => ({
  Spearman: agreement(rated),
  'found of the pairs rated 4 and more': shareOf(
    rated.filter(({ rating }) => rating >= SAME),
    found,
  ),
  'found of the pairs rated 1 and less': shareOf(
    rated.filter(({ rating }) => rating <= UNRELATED),
    found,
  ),
})

export const partFigures = (rated: readonly RatedScore[]) => ({
  'found of the statements of a part': shareOf(rated, found),
})
