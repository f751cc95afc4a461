// What `mnemograph calibrate` prints: what was fitted, and what it does to the pairs.
import type { Calibration } from '../../retrieval/calibration.ts'
import type { Figures } from './figures.ts'
import { RELATED_MIN, UNRELATED_MAX } from './fit.ts'

const COLUMN = 18

type Report = {
  model: string
  calibration: Calibration
  /** How many words tell how common a text is; none for a service. */
  words: number
  before: Figures
  after: Figures
}

export function reportOf({ model, calibration, words, before, after }: Report): string {
  const { scale, offset } = calibration.cosine
  const commonness = words > 0 ? `by the vectors of ${words} words` : 'that of a typical text'

  const sign = offset < 0 ? '-' : '+'
  const rows: [string, (figures: Figures) => string][] = [
    ['Spearman', ({ spearman }) => spearman.toFixed(3)],
    [`rated ${RELATED_MIN} and more, at or above 0.5`, ({ relatedFound }) => percent(relatedFound)],
    [
      `rated ${UNRELATED_MAX} and less, at or above 0.5`,
      ({ unrelatedFound }) => percent(unrelatedFound),
    ],
  ]
  const width = Math.max(...rows.map(([name]) => name.length))
  const line = (name: string, ...cells: string[]): string =>
    `${name.padEnd(width)}${cells.map((cell) => cell.padStart(COLUMN)).join('')}\n`
  return [
    `model: ${model}\n`,
    `calibration: similarity = ${scale} * cosine ${sign} ${Math.abs(offset)}\n`,
    `commonness: ${commonness}\n\n`,
    line(`of ${after.pairs} pairs`, 'not calibrated', 'calibrated'),
    ...rows.map(([name, cell]) => line(name, cell(before), cell(after))),
  ].join('')
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`
