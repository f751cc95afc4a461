// The one function that turns evidence into the score that callers see. It is pure and the same in
// every store: similarity of meaning, joined with the share of the query's terms and names that the
// memory has, mapped so that 0.5 separates related from unrelated. It grows with each kind of
// evidence, and the constants are fitted to the bundled model: see eval/README.md.
// decisions/2026-11-21-search-score.md

export type Evidence = {
  /** Cosine of the query with the memory's best piece, averaged over the query's pieces. */
  similarity: number
  /** Weight of the query's terms that the memory has, as a share of all of them: 0 to 1. */
  coverage: number
  /** Share of the query's proper names that the memory has: 0 to 1; undefined without names. */
  nameCoverage: number | undefined
  /** Whether the query asks for something, rather than states it. */
  asks: boolean
}

const COVERAGE_WEIGHT = 0.25
const NAME_WEIGHT = 0.15
/**
 * What a question without names gets in place of them, in every memory alike: most of what one
 * with its name gets. Without it, "what does the user drink?" would find nothing.
 */
const NAMELESS_QUESTION = 0.1
/** The evidence at which related and unrelated part, and how sharply they do. */
const BORDER = 0.79
const SHARPNESS = 15
/** Cosines at least this high mean the same text to the model; below lies rounding alone. */
const IDENTICAL = 0.99999

/** The score, 0 to 1, rounded to the four decimals that are shown and compared. */
export function scoreOf({ similarity, coverage, nameCoverage, asks }: Evidence): number {
  if (similarity >= IDENTICAL) return 1
  const names =
    nameCoverage === undefined ? (asks ? NAMELESS_QUESTION : 0) : NAME_WEIGHT * nameCoverage
  const evidence = similarity + COVERAGE_WEIGHT * coverage + names
  const score = 1 / (1 + Math.exp(-SHARPNESS * (evidence - BORDER)))
  // 1 is kept for the same text.
  return Math.min(0.9999, Math.round(score * 10_000) / 10_000)
}

/**
 * The weight of a term: rare in the space and rare in the language. `documents` counts the
 * memories of the space, `documentsWithTerm` those that have the term.
 */
export const termWeight = (rarity: number, documents: number, documentsWithTerm: number): number =>
  Math.sqrt(Math.log(1 + (documents + 1) / (documentsWithTerm + 0.5)) * rarity)
