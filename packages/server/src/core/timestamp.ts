// A point in time as contract/timestamp.ts describes it. Apart from there: what describes schemas takes
// longer to load than a short command to run.

export const toTimestamp = (ms: number): string => new Date(ms).toISOString()
