// A month in tables: by day, with the chart's numbers and the refused requests that it does not show; by
// operation and by error, under their names in the API. Days without a request are left out.
import type { UsageDay } from '../../api/contract.ts'
import { number } from '../../components/number.ts'
import { dayName } from './day-chart.tsx'
import { type DayCounts, FREE, KIND_NAMES, KINDS, sum, totals } from './kinds.ts'

export function DayTable({ days }: { days: readonly DayCounts[] }) {
  const busy = days.filter((day) => day.total + day.rateLimited + day.errors > 0).toReversed()
  const columns = [...KINDS.map((kind) => KIND_NAMES[kind]), 'All', '429', 'Other errors']
  const valuesOf = (day: DayCounts) => [
    ...KINDS.map((kind) => day.kinds[kind]),
    day.total,
    day.rateLimited,
    day.errors,
  ]
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="table-scroll" tabIndex={0} aria-label="By day, as a table">
      <table className="table usage-table number">
        <caption className="visually-hidden">Operations by day</caption>
        <thead>
          <tr>
            <th scope="col">Day (UTC)</th>
            {columns.map((column) => (
              <th key={column} scope="col" className="end">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {busy.map((day) => (
            <tr key={day.day}>
              <th scope="row">{dayName(day.day)}</th>
              {valuesOf(day).map((value, index) => (
                <td key={columns[index]} className={value === 0 ? 'end quiet' : 'end'}>
                  {number(value)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Month</th>
            {columns.map((column, index) => (
              <td key={column} className="end">
                {number(sum(days.map((day) => valuesOf(day)[index] ?? 0)))}
              </td>
            ))}
          </tr>
        </tfoot>
      </table>
    </section>
  )
}

export const OperationTable = ({ days }: { days: readonly UsageDay[] }) => (
  <CountTable
    caption="Operations by kind"
    head="Operation"
    rows={totals(days.map(({ operations }) => operations))}
    note={(name) => (FREE.has(name) ? 'draws on no quota' : undefined)}
    none="No operation this month."
  />
)

export const ErrorTable = ({ days }: { days: readonly UsageDay[] }) => (
  <CountTable
    caption="Errors by code"
    head="Code"
    rows={totals([
      ...days.map(({ errors }) => errors),
      ...days.map(({ rateLimited }) => ({ RATE_LIMIT_EXCEEDED: rateLimited })),
    ])}
    none="No error this month."
  />
)

function CountTable({
  caption,
  head,
  rows,
  none,
  note,
}: {
  caption: string
  head: string
  rows: readonly [string, number][]
  none: string
  note?: (name: string) => string | undefined
}) {
  if (rows.length === 0) return <p className="quiet padded">{none}</p>
  return (
    <table className="table">
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{head}</th>
          <th scope="col" className="end">
            Times
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, times]) => (
          <tr key={name}>
            <th scope="row">
              <code>{name}</code>
              {note?.(name) && <span className="quiet small"> {note(name)}</span>}
            </th>
            <td className="end number">{number(times)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
