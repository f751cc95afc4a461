// The measures, as textbooks define them. All are pure.

/** Share of the wanted items that are in the list. */
export function recall(found: readonly string[], wanted: ReadonlySet<string>): number {
  return found.filter((item) => wanted.has(item)).length / wanted.size
}

/** Normalised discounted cumulative gain with binary gains; the ideal list has as many places. */
export function ndcg(
  found: readonly string[],
  wanted: ReadonlySet<string>,
  places: number,
): number {
  const gain = (place: number): number => 1 / Math.log2(place + 2)
  const seen = found.slice(0, places)
  const reached = sum(seen.map((item, place) => (wanted.has(item) ? gain(place) : 0)))
  const ideal = sum(
    Array.from({ length: Math.min(places, wanted.size) }, (_, place) => gain(place)),
  )
  return reached / ideal
}

/** Spearman's rank correlation; equal values share the mean of their ranks. */
export function spearman(first: readonly number[], second: readonly number[]): number {
  const [a, b] = [ranksOf(first), ranksOf(second)]
  const middle = (first.length - 1) / 2
  const product = (x: readonly number[], y: readonly number[]): number =>
    sum(x.map((rank, index) => (rank - middle) * ((y[index] ?? middle) - middle)))
  return product(a, b) / Math.sqrt(product(a, a) * product(b, b))
}

function ranksOf(values: readonly number[]): number[] {
  const order = values.map((value, index) => ({ value, index })).sort((a, b) => a.value - b.value)
  const ranks = new Array<number>(values.length).fill(0)
  for (let start = 0; start < order.length; ) {
    let end = start
    while (end < order.length && order[end]?.value === order[start]?.value) end += 1
    for (const { index } of order.slice(start, end)) ranks[index] = (start + end - 1) / 2
    start = end
  }
  return ranks
}

/** The smallest value that at least this share of the values does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}

export const median = (values: readonly number[]): number => percentile(values, 0.5)

export const mean = (values: readonly number[]): number => sum(values) / values.length

/** Share of the values for which the condition holds. */
export const shareOf = <Value>(
  values: readonly Value[],
  holds: (value: Value) => boolean,
): number => values.filter(holds).length / values.length

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
