// What each ingredient of the score is worth: the same evidence judged without it, or with another weight.
// "Kept" is measured at the cut at which a variant has the same share of false finds as all others.

import { agreement } from '../data/sts.ts'
import { mean } from '../statistics/metrics.ts'
import type { JudgeLong, JudgePairs, JudgeQuestions } from './asked.ts'
import { falseCut, keptAt } from './cut.ts'
import type { Calibration } from './evidence.ts'

const FALSE = 0.03

type Weights = Calibration['asking']

export type Ablation = {
  'recall@10': number
  'nDCG@10': number
  'kept at 3 % false': number
  Spearman: number
  'long, other words: first': number
}

/** The figures of each variant, by its name; the whole score comes first. */
export const ablations = (
  judges: { questions: JudgeQuestions; pairs: JudgePairs; long: JudgeLong },
  calibration: Calibration,
): Record<string, Ablation> =>
  Object.fromEntries(
    Object.entries(variantsOf(calibration)).map(([name, variant]) => {
      const judged = judges.questions(variant)
      const figures: Ablation = {
        'recall@10': mean(judged.map(({ recall }) => recall)),
        'nDCG@10': mean(judged.map(({ ndcg }) => ndcg)),
        'kept at 3 % false': keptAt(judged, falseCut(judged, FALSE)),
        Spearman: agreement(judges.pairs(variant)),
        'long, other words: first': judges.long(variant),
      }
      return [name, figures]
    }),
  )

/** With a lead that no cosine reaches, a sentence never counts for itself. */
const NO_SENTENCES = { share: 0, lead: 10 }
const NO_COMMONNESS = { memory: 0, query: 0 }

function variantsOf(whole: Calibration): Record<string, Calibration> {
  const both = (change: (weights: Weights) => Partial<Weights>): Calibration => ({
    ...whole,
    asking: { ...whole.asking, ...change(whole.asking) },
    nameless: { ...whole.nameless, ...change(whole.nameless) },
    stating: { ...whole.stating, ...change(whole.stating) },
  })
  const scaled = (name: 'coverage' | 'names', factor: number): Calibration =>
    both((weights) => ({ [name]: weights[name] * factor }))
  const similarityAlone = both(() => ({
    coverage: 0,
    names: 0,
    askingMemory: 0,
    commonness: NO_COMMONNESS,
  }))
  return {
    'the whole score': whole,
    'no sentences': { ...whole, sentence: NO_SENTENCES },
    'sentences alone': { ...whole, sentence: { share: 1, lead: 0 } },
    'no lead of a sentence': { ...whole, sentence: { ...whole.sentence, lead: 10 } },
    'no commonness': both(() => ({ commonness: NO_COMMONNESS })),
    'commonness of memories alone': both(({ commonness: { memory } }) => ({
      commonness: { memory, query: 0 },
    })),
    'no words': scaled('coverage', 0),
    'words weigh half': scaled('coverage', 0.5),
    'words weigh one and a half': scaled('coverage', 1.5),
    'no names': both(() => ({ names: 0 })),
    'names weigh half': scaled('names', 0.5),
    'names weigh one and a half': scaled('names', 1.5),
    'questions without names judged like others': { ...whole, nameless: whole.asking },
    'memories that ask like others': both(() => ({ askingMemory: 0 })),
    'statements judged like questions': { ...whole, stating: whole.asking },
    'sentences and pieces, nothing else': similarityAlone,
    'the cosine of the best piece alone': { ...similarityAlone, sentence: NO_SENTENCES },
  }
}
