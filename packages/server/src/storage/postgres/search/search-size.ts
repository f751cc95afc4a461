// Up to which size a search does without the index of vectors. Chosen, and not yet measured against other
// sizes: `npm run bench -- --store postgres` shows what they cost.

/** Memories that are scored whole. */
export const EXACT_MAX = 2_000
/** Memories that a filter leaves whose rows are scanned for the nearest: fewer steps than the index. */
export const SCAN_MAX = 10_000
