// What one run found, as JSON. Ratios and charts come from a single report, because two runs meet different
// noise.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Figure } from './figure.ts'
import type { Machine } from './machine.ts'

export type Report = {
  version: 1
  startedAt: string
  tookS: number
  /** As it was called: `--quick --peers`. */
  options: string
  machine: Machine
  figures: Figure[]
}

export function writeReport(file: string, report: Report): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(report, undefined, 2)}\n`)
}

export function readReport(file: string): Report {
  const report: Report = JSON.parse(readFileSync(file, 'utf8'))
  if (report.version !== 1) throw new Error(`${file} is not a report of this version.`)
  return report
}
