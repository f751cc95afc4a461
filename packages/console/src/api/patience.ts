/** How long an answer is waited for before it is said that it does not come, and the way is free. */
export const PATIENCE_MS = 10_000
