// One measured figure, and whether it reaches its goal. Goals are those of docs/performance.md; figures of a
// run on less data than a goal speaks of have none.

type Unit = 'ms' | 'a second' | 'MB' | 's' | '' | 'x' | 'GB/s'

type Goal = {
  atMost?: number
  atLeast?: number
  /** How many times the p50 the p99 may be. */
  p99Times?: number
}

export type Figure = {
  /** The row of the bench that measured it. */
  row: string
  /** Has to make sense by itself, since nothing else in a table explains it. */
  name: string
  /** Undefined when it could not be measured; `note` says why. */
  value: number | undefined
  unit: Unit
  /** Where the value is a median of latencies. */
  p99?: number | undefined
  /** Milliseconds of processor time of one call, where it was called in this process. */
  cpuMs?: number | undefined
  goal?: Goal | undefined
  /** What no program could be faster than on this machine. */
  floor?: { name: string; value: number } | undefined
  note?: string | undefined
  /** For the chart: whose latency it is, of what, and among how many memories. */
  point?: ChartPoint | undefined
}

export type ChartPoint = { who: string; filter: string; memories: number }

/** Undefined without a goal or without a value. */
export function isMet({ value, p99, goal }: Figure): boolean | undefined {
  if (goal === undefined || value === undefined) return undefined
  const { atMost = Number.POSITIVE_INFINITY, atLeast = Number.NEGATIVE_INFINITY, p99Times } = goal
  const isEarlyEnough = p99Times === undefined || p99 === undefined || p99 <= p99Times * value
  return value <= atMost && value >= atLeast && isEarlyEnough
}

export function goalText({ goal, unit }: Figure): string {
  if (goal === undefined) return ''
  const { atMost, atLeast, p99Times } = goal
  const suffix = unit === '' ? '' : ` ${unit}`
  return [
    ...(atMost === undefined ? [] : [`≤ ${plain(atMost)}${suffix}`]),
    ...(atLeast === undefined ? [] : [`≥ ${plain(atLeast)}${suffix}`]),
    ...(p99Times === undefined ? [] : [`p99 ≤ ${p99Times} × p50`]),
  ].join(', ')
}

/** With three significant digits, or all of a larger whole number: `0.412`, `5.12`, `31.4`, `20,412`. */
export function plain(value: number): string {
  if (!Number.isFinite(value)) return 'none'
  if (Number.isInteger(value) || Math.abs(value) >= 100) return withCommas(Math.round(value))
  const digits = Math.abs(value) >= 10 ? 1 : Math.abs(value) >= 1 ? 2 : 3
  return String(Number(value.toFixed(digits)))
}

export const withCommas = (value: number): string => value.toLocaleString('en-US')
