// Prints figures: as lines, and as tables with a line for each figure and a column for each method.
import type { Estimate } from './statistics/bootstrap.ts'
import { percentile } from './statistics/metrics.ts'

const NAME_WIDTH = 44
const CELL_WIDTH = 21

export const printLine = (name: string, value: string): void => {
  process.stdout.write(`${name.padEnd(NAME_WIDTH)} ${value}\n`)
}

export const printTitle = (title: string): void => {
  process.stdout.write(`\n${title}\n`)
}

export const decimals = (value: number, places = 3): string => value.toFixed(places)

export const latencies = (values: readonly number[]): string =>
  [0.5, 0.95, 0.99].map((p) => `p${p * 100} ${decimals(percentile(values, p), 1)} ms`).join('  ')

/** `.698 [.668, .727]`: the figure and its 95 % interval. */
export const withInterval = ({ value, low, high }: Estimate): string =>
  `${short(value)} [${short(low)}, ${short(high)}]`

const short = (value: number): string => decimals(value).replace(/^(-?)0\./, '$1.')

/** A figure that a method does not have is a dash. */
export function printTable<Figures>(
  title: string,
  methods: Readonly<Record<string, Figures>>,
  rows: Readonly<Record<string, (figures: Figures) => Estimate | undefined>>,
): void {
  printTitle(title)
  const line = (cells: readonly string[]): string =>
    cells.map((cell) => cell.padEnd(CELL_WIDTH)).join(' ')
  printLine('', line(Object.keys(methods)))
  for (const [name, figureOf] of Object.entries(rows)) {
    const figures = Object.values(methods).map(figureOf)
    printLine(name, line(figures.map((figure) => (figure ? withInterval(figure) : '–'))))
  }
}
