/** How long the page waits for an answer before it says that none has come and lets its reader go on. */
export const PATIENCE_MS = 10_000
