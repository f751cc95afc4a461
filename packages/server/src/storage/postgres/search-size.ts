/** Memories that a search scores whole. Measured: `npm run bench -- --store postgres`. */
export const EXACT_MAX = 2_000
