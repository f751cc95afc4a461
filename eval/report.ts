// How figures are printed: one line for each, its name, its value, and what it means where that is
// not plain.
import type { LocomoFigures } from './measure-locomo.ts'
import { percentile } from './metrics.ts'

export const printLine = (name: string, value: string): void => {
  process.stdout.write(`${name.padEnd(44)} ${value}\n`)
}

export const printTitle = (title: string): void => {
  process.stdout.write(`\n${title}\n`)
}

export const decimals = (value: number, places = 3): string => value.toFixed(places)

export const latencies = (values: readonly number[]): string =>
  [0.5, 0.95, 0.99].map((p) => `p${p * 100} ${decimals(percentile(values, p), 1)} ms`).join('  ')

export function printLocomo(figures: LocomoFigures): void {
  printLine('recall@10', decimals(figures.recall))
  printLine('nDCG@10', decimals(figures.ndcg))
  printLine('kept', decimals(figures.kept))
  printLine('false (every 4th, next conversation)', decimals(figures.falsePlain))
  printLine('  pairs without a common speaker name', decimals(figures.falseNoCommonName))
  printLine('  the same, every question', decimals(figures.falseNoCommonNameAll))
}
