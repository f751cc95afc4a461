// The one function that turns evidence into the score that callers see. It is pure and the same in
// every store: how near the meanings lie, joined with the share of the query's terms and names that
// the piece has, mapped so that 0.5 separates related from unrelated. It grows with each kind of
// evidence. The numbers are the calibration of the model.
// decisions/2026-11-21-search-score.md, decisions/2026-11-21-retrieval-layer.md
import type { Calibration, Weights } from './calibration.ts'

/** A cosine, and how common the text of the memory is. */
export type Nearness = { cosine: number; commonness: number | undefined }

/** What one piece of a memory has to say for a part of the query. */
export type Evidence = {
  /** How near the piece means what the query means: see `meaningOf`. */
  meaning: number
  /** Weight of the query's terms that the piece has, as a share of all of them: 0 to 1. */
  coverage: number
  /** Share of the query's proper names that the piece has: 0 to 1; 0 without names. */
  nameCoverage: number
  /** Whether the memory itself only asks something. */
  isAsking: boolean
}

/** The shares of the evidence, in units of cosine. Their sum is the evidence as one number. */
export type EvidenceParts = {
  meaning: number
  words: number
  names: number
  askingMemory: number
}

/** Cosines at least this high mean the same text to the model; below lies rounding alone. */
export const SAME_TEXT_COSINE_MIN = 0.99999
const SCORE_OF_OTHERS_MAX = 0.9999

/** What decides by which weights a query is judged. The space knows names that the query does not mark. */
export type QueryForm = { asks: boolean; hasNames: boolean }

export function weightsFor(calibration: Calibration, { asks, hasNames }: QueryForm): Weights {
  if (!asks) return calibration.stating
  return hasNames ? calibration.asking : calibration.nameless
}

/** What a cosine says when it is known how common the memory's text is. */
export function similarityOf(
  { cosine, commonness }: Nearness,
  { cosine: { scale, offset }, commonnessTypical }: Calibration,
  weights: Weights,
): number {
  const common = commonness === undefined ? commonnessTypical : scale * commonness + offset
  return scale * cosine + offset - weights.commonness.memory * common
}

/**
 * The meaning of a piece from two similarities, its own and that of its best sentence. `commonness`
 * is that of the query.
 */
export function meaningOf(
  piece: number,
  sentence: number,
  commonness: number | undefined,
  { sentence: { share, lead }, cosine: { scale, offset }, commonnessTypical }: Calibration,
  weights: Weights,
): number {
  const common = commonness === undefined ? commonnessTypical : scale * commonness + offset
  const meaning = Math.max(piece + share * (sentence - piece), sentence - lead)
  return meaning - weights.commonness.query * common
}

export function partsOf(evidence: Evidence, weights: Weights): EvidenceParts {
  const { meaning, coverage, nameCoverage, isAsking } = evidence
  return {
    meaning,
    words: weights.coverage * coverage,
    names: weights.names * nameCoverage,
    askingMemory: isAsking ? -weights.askingMemory : 0,
  }
}

/** The evidence as one number. */
export function strengthOf(evidence: Evidence, weights: Weights): number {
  const { meaning, words, names, askingMemory } = partsOf(evidence, weights)
  return meaning + words + names + askingMemory
}

/**
 * The score of a memory, 0 to 1, rounded to the four decimals that are shown and compared.
 * `strength` and `cosine` are those of the best piece, averaged over the parts of the query.
 */
export function scoreOf(
  { strength, cosine }: { strength: number; cosine: number },
  { border, sharpness }: Weights,
): number {
  if (cosine >= SAME_TEXT_COSINE_MIN) return 1
  const score = 1 / (1 + Math.exp(-sharpness * (strength - border)))
  // 1 is kept for the same text.
  return Math.min(SCORE_OF_OTHERS_MAX, Math.round(score * 10_000) / 10_000)
}

/**
 * What is weaker than this never has the score, or a greater one, unless it is the same text. The
 * border is a little lower than it need be, since numbers are rounded.
 */
export function strengthFor(score: number, { border, sharpness }: Weights): number {
  if (score > SCORE_OF_OTHERS_MAX) return Number.POSITIVE_INFINITY
  const least = score - 0.5 / 10_000
  if (least <= 0) return Number.NEGATIVE_INFINITY
  return border + Math.log(least / (1 - least)) / sharpness - 1e-9
}

/**
 * The weight of a term: rare in the space and rare in the language. `memories` counts those of the
 * space, `memoriesWithTerm` those of them that have the term.
 */
export const termWeight = (rarity: number, memories: number, memoriesWithTerm: number): number =>
  Math.sqrt(Math.log(1 + (memories + 1) / (memoriesWithTerm + 0.5)) * rarity)
