// All numbers of the score, as one value that belongs to a model: they are fitted by `npm run fit`
// from the data that it names, stored in the manifest beside the model, and handed to the scoring
// with each query. decisions/2026-11-21-search-score.md

/** How much each kind of evidence counts, in units of cosine, and where related and unrelated part. */
export type Weights = {
  /** Of the share of the query's terms that a piece has. */
  coverage: number
  /** Of the share of the query's names that a piece has. */
  names: number
  /** Taken from a short memory that only asks something. */
  askingMemory: number
  /** Taken for each unit by which a text is common: of the memory's side, and of the query's. */
  commonness: { memory: number; query: number }
  /** The evidence that gives the score 0.5, and how sharply the score rises there. */
  border: number
  sharpness: number
}

/**
 * Of letters. Hiragana and Katakana are one here; all that are not Latin and have no name are the last. Latin
 * ones are those of other languages than English, and Vietnamese has letters of its own among them.
 */
export const SCRIPTS = [
  'Arabic',
  'Cyrillic',
  'Devanagari',
  'Greek',
  'Han',
  'Hangul',
  'Hebrew',
  'Kana',
  'Latin',
  'Thai',
  'Vietnamese',
  'other',
] as const
export type Script = (typeof SCRIPTS)[number]

export type Calibration = {
  /** Of the meaning of these numbers. */
  version: 3
  /** similarity = scale · cosine + offset: carries a model's cosines to the bundled model's scale. */
  cosine: { scale: number; offset: number }
  /** The meaning of a piece lies between its own similarity and that of its best sentence. */
  sentence: {
    /** How far towards the sentence. */
    share: number
    /** It never lies further than this below the sentence, however little the rest has to do with it. */
    lead: number
  }
  /** Stands for the commonness of a text whose model has no reference to measure it by. */
  commonnessTypical: number
  /** For queries that ask for something and name somebody or something. */
  asking: Weights
  /**
   * For those that ask and name nothing, such as "what do I drink?": no name tells whose memories they
   * mean, and people mostly ask for what they once said in other words.
   * decisions/2026-11-27-questions-without-names.md
   */
  nameless: Weights
  /** For queries that state something. */
  stating: Weights
  /**
   * The scripts that the model does not read, each with how much more evidence a query in it needs: see scripts.ts.
   * Absent for a model that reads all.
   */
  scripts?: { [script in Script]?: number }
}
