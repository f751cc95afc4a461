// Operations by day as stacked bars. Screen readers skip the bars: the table below has the same numbers.
import { number } from '../../components/number.ts'
import { dateFormat } from '../../components/time.tsx'
import { type DayCounts, KIND_NAMES, KINDS, niceCeiling } from './kinds.ts'

const LINES = [1, 0.75, 0.5, 0.25, 0]
const DAY = dateFormat({ day: 'numeric', month: 'short', timeZone: 'UTC' })
export const dayName = (day: string) => DAY.format(new Date(`${day}T00:00:00Z`))

export function DayChart({
  days,
  daysInMonth,
}: {
  days: readonly DayCounts[]
  daysInMonth: number
}) {
  const ceiling = niceCeiling(Math.max(0, ...days.map(({ total }) => total)))
  return (
    <figure>
      <figcaption className="row">
        {KINDS.map((kind) => (
          <span key={kind} className="legend">
            <i className={`series ${kind}`} aria-hidden="true" />
            {KIND_NAMES[kind]}
          </span>
        ))}
      </figcaption>
      <div className="plot" aria-hidden="true">
        <div className="axis number">
          {LINES.map((part) => (
            <span key={part}>{number(ceiling * part)}</span>
          ))}
        </div>
        <div className="bars" style={{ gridTemplateColumns: `repeat(${daysInMonth}, 1fr)` }}>
          {LINES.map((part) => (
            <hr key={part} style={{ bottom: `${part * 100}%` }} />
          ))}
          {days.map((day) => (
            <Bar key={day.day} day={day} ceiling={ceiling} />
          ))}
        </div>
        <div className="ticks" style={{ gridTemplateColumns: `repeat(${daysInMonth}, 1fr)` }}>
          {Array.from({ length: daysInMonth }, (_, index) => index + 1).map((day) => (
            <span key={day}>{day === 1 || day % 5 === 0 ? number(day) : ''}</span>
          ))}
        </div>
      </div>
    </figure>
  )
}

function Bar({ day: { day, kinds, total }, ceiling }: { day: DayCounts; ceiling: number }) {
  const said = KINDS.filter((kind) => kinds[kind] > 0)
    .map((kind) => `${KIND_NAMES[kind].toLowerCase()} ${number(kinds[kind])}`)
    .join(', ')
  return (
    <div className="bar" title={`${dayName(day)}: ${said || 'nothing'}`}>
      <span style={{ height: `${(total / ceiling) * 100}%` }}>
        {KINDS.map((kind) => (
          <i key={kind} className={`series ${kind}`} style={{ flexGrow: kinds[kind] }} />
        ))}
      </span>
    </div>
  )
}
