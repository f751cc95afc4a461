// Figures as lines on a terminal while they are measured, and as tables in Markdown.
import { type Figure, goalText, isMet, plain } from './figure.ts'

const NAME_WIDTH = 52
const VALUE_WIDTH = 26

export function line(figure: Figure): string {
  const { name } = figure
  const goal = goalText(figure)
  const judged = goal === '' ? '' : `  goal ${goal}: ${verdict(figure)}`
  const cpu = figure.cpuMs === undefined ? '' : `cpu ${plain(figure.cpuMs)} ms`
  const rest = [cpu, floorText(figure), figure.note ?? ''].filter((text) => text !== '').join('; ')
  return `${name.padEnd(NAME_WIDTH)} ${measured(figure).padEnd(VALUE_WIDTH)}${judged}${
    rest === '' ? '' : `  (${rest})`
  }`.trimEnd()
}

/** One table for each row of the bench, in their order. */
export function markdownTables(figures: readonly Figure[]): string {
  const rows = [...new Set(figures.map(({ row }) => row))]
  return rows
    .map((row) => {
      const own = figures.filter((figure) => figure.row === row)
      return `### ${row}\n\n${markdownTable(own)}`
    })
    .join('\n\n')
}

/** Every figure that has a goal, in one table. */
export const goalsTable = (figures: readonly Figure[]): string =>
  markdownTable(
    figures
      .filter(({ goal }) => goal !== undefined)
      .map(({ row, name, ...rest }) => ({ ...rest, row, name: `${row}: ${name}` })),
  )

/** How many goals are met, and which are not: `1 of 2 goals met; missed: …` What was not measured is missed. */
export function goalsSummary(figures: readonly Figure[]): string {
  const judged = figures.filter(({ goal }) => goal !== undefined)
  const missed = judged.filter((figure) => isMet(figure) !== true)
  const named = missed.map(
    (figure) => `${figure.row}: ${figure.name} (${measured(figure)}, goal ${goalText(figure)})`,
  )
  const rest = missed.length === 0 ? '' : `; missed: ${named.join('; ')}`
  return `${judged.length - missed.length} of ${judged.length} goals met${rest}.`
}

function markdownTable(figures: readonly Figure[]): string {
  const hasFloors = figures.some(({ floor }) => floor !== undefined)
  const head = ['figure', 'measured', 'goal', 'met', ...(hasFloors ? ['floor'] : [])]
  const cells = figures.map((figure) => [
    figure.note === undefined ? figure.name : `${figure.name} (${figure.note})`,
    measured(figure),
    goalText(figure),
    verdict(figure),
    ...(hasFloors ? [floorText(figure)] : []),
  ])
  const toLine = (texts: readonly string[]): string => `| ${texts.join(' | ')} |`
  return [toLine(head), toLine(head.map(() => '---')), ...cells.map(toLine)].join('\n')
}

function measured({ value, p99, unit }: Figure): string {
  if (value === undefined) return 'not measured'
  const suffix = unit === '' ? '' : ` ${unit}`
  return p99 === undefined ? `${plain(value)}${suffix}` : `${plain(value)} / ${plain(p99)}${suffix}`
}

function verdict(figure: Figure): string {
  const met = isMet(figure)
  return met === undefined ? '' : met ? 'yes' : 'no'
}

function floorText({ floor, value, unit }: Figure): string {
  if (floor === undefined || value === undefined) return ''
  const isRate = unit === 'a second'
  const times = isRate ? floor.value / value : value / floor.value
  return `${floor.name} ${plain(floor.value)} ${unit}, ${plain(times)} ×`.replace('  ', ' ')
}
