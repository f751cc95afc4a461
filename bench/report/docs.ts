// Renews what stands between the markers of docs/performance.md from a report, and the chart. Only the words
// around them are written by hand.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { chartOf } from './chart.ts'
import type { Report } from './report.ts'
import { goalsSummary, goalsTable, markdownTables } from './table.ts'

const PAGE = fileURLToPath(new URL('../../docs/performance.md', import.meta.url))
const CHART = fileURLToPath(new URL('../../docs/images/performance.svg', import.meta.url))

export function writeDocs(report: Report): void {
  const page = readFileSync(PAGE, 'utf8')
  const machine = between(page, 'machine', machineText(report))
  const goals = between(machine, 'goals', goalsText(report))
  writeFileSync(PAGE, between(goals, 'figures', markdownTables(report.figures)))
  writeFileSync(CHART, chartOf(report.figures))
}

const goalsText = ({ figures }: Report): string =>
  `${goalsSummary(figures)}\n\n${goalsTable(figures)}`

function machineText({ machine, startedAt, options, tookS }: Report): string {
  const { cores, processor, memoryGb, disk, system, node } = machine
  const called = ['npm run bench', ...(options === '' ? [] : [`-- ${options}`])].join(' ')
  return (
    `Measured on ${startedAt.slice(0, 10)} with \`${called}\` in ${Math.round(tookS / 60)} minutes: ` +
    `${cores} cores of ${processor}, ${memoryGb} GB of memory, ${disk}, ${system}, Node ${node}.`
  )
}

/** Puts the text between `<!-- bench:NAME -->` and `<!-- /bench:NAME -->`. */
export function between(page: string, name: string, text: string): string {
  const [start, end] = [`<!-- bench:${name} -->`, `<!-- /bench:${name} -->`]
  const [from, to] = [page.indexOf(start), page.indexOf(end)]
  if (from === -1 || to < from) throw new Error(`The page has no markers for ${name}.`)
  return `${page.slice(0, from + start.length)}\n\n${text}\n\n${page.slice(to)}`
}
