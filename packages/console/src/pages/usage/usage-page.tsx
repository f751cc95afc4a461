// One month of a key, the current one unless the address names another; months and days are those of UTC. The
// server, not the browser's clock, says which month is current. Refused requests are shown beside the
// operations, not among them.
import './usage.css'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type ReactNode, useMemo, useRef } from 'react'
import type { Usage } from '../../api/contract.ts'
import { keyQuery, usageQuery } from '../../api/keys.ts'
import { QuotaMeter } from '../../components/meter.tsx'
import { number } from '../../components/number.ts'
import { Empty, Fetched } from '../../components/states.tsx'
import { dateFormat, Time } from '../../components/time.tsx'
import { Page } from '../../layout/page.tsx'
import { DayChart } from './day-chart.tsx'
import { countsOf, isQuiet, sum } from './kinds.ts'
import { DayTable, ErrorTable, OperationTable } from './usage-tables.tsx'

const MONTH = dateFormat({ month: 'long', year: 'numeric', timeZone: 'UTC' })
const monthName = (month: string) => MONTH.format(new Date(`${month}-01T00:00:00Z`))

export function UsagePage() {
  const { key } = useParams({ from: '/shell/keys/$key/usage' })
  const { month } = useSearch({ from: '/shell/keys/$key/usage' })
  const usage = useQuery(usageQuery(key, month))
  const isRevoked = useQuery(keyQuery(key)).data?.key.status === 'revoked'
  // Kept while another month loads, so that its choice stays and keeps the focus.
  const months = useRef(usage.data?.months)
  if (usage.data) months.current = usage.data.months
  return (
    <Page
      title="Usage"
      actions={months.current && <MonthChoice months={months.current} month={month} id={key} />}
    >
      <Fetched query={usage} what="the figures" card="card">
        {(figures) => <Figures usage={figures} id={key} isRevoked={isRevoked} />}
      </Fetched>
    </Page>
  )
}

function MonthChoice({
  months,
  month = months[0] ?? '',
  id,
}: {
  /** The current one first. */
  months: readonly string[]
  month: string | undefined
  id: string
}) {
  const navigate = useNavigate()
  const choices = months.includes(month) ? months : [month, ...months]
  if (choices.length < 2) return <span className="quiet">{monthName(month)}</span>
  return (
    <select
      className="input"
      aria-label="Month"
      value={month}
      onChange={(event) =>
        void navigate({
          to: '/keys/$key/usage',
          params: { key: id },
          search: event.target.value === months[0] ? {} : { month: event.target.value },
        })
      }
    >
      {choices.map((each) => (
        <option key={each} value={each}>
          {monthName(each)}
        </option>
      ))}
    </select>
  )
}

function Figures({ usage, id, isRevoked }: { usage: Usage; id: string; isRevoked: boolean }) {
  const days = useMemo(() => usage.days.map(countsOf), [usage.days])
  const [year, month] = usage.month.split('-').map(Number)
  const daysInMonth = new Date(Date.UTC(year ?? 0, month ?? 0, 0)).getUTCDate()
  const errors = sum(days.map((day) => day.errors))
  const rateLimited = sum(days.map((day) => day.rateLimited))
  const tense = tenseOf(usage)
  const isIdle = usage.used === 0 && isQuiet(days)
  return (
    <>
      <div className="figures">
        <Figure name="Operations">
          <QuotaMeter used={usage.used} limit={usage.limit} />
          <p className="quiet small">
            {monthEndText(tense, usage)} on <Time at={usage.resetAt} />
          </p>
          {tense === 'now' && !isRevoked && isUsedUp(usage) && (
            <p className="small">
              What counts is refused until then, or until the key has another plan, by{' '}
              <code>npx mnemograph keys change</code> where the server runs.
            </p>
          )}
        </Figure>
        <Figure name="Refused for their rate">
          <span className="number">{number(rateLimited)}</span>
          <p className="quiet small">Answered with 429; they draw on no quota.</p>
        </Figure>
        <Figure name="Other errors">
          <span className="number">{number(errors)}</span>
          <p className="quiet small">They draw on no quota either.</p>
        </Figure>
      </div>
      {isIdle ? (
        <div className="card">
          <Empty icon="chart" title={NOTHING_HAPPENED[tense](monthName(usage.month))}>
            {tense !== 'now' ? null : isRevoked ? (
              <p>This key is revoked: requests with it are refused.</p>
            ) : (
              <>
                <p>As soon as an app sends requests with this key, they are counted here.</p>
                <Link to="/keys/$key/start" params={{ key: id }} className="button">
                  Start here
                </Link>
              </>
            )}
          </Empty>
        </div>
      ) : (
        <>
          <section className="card stack" aria-labelledby="by-day">
            <h2 id="by-day">By day</h2>
            <DayChart days={days} daysInMonth={daysInMonth} />
          </section>
          <div className="card flush">
            <DayTable days={days} />
          </div>
          <div className="halves">
            <section className="card flush" aria-labelledby="by-kind">
              <h2 id="by-kind">By operation</h2>
              <OperationTable days={usage.days} />
            </section>
            <section className="card flush" aria-labelledby="by-code">
              <h2 id="by-code">Errors</h2>
              <ErrorTable days={usage.days} />
            </section>
          </div>
        </>
      )}
    </>
  )
}

const Figure = ({ name, children }: { name: string; children: ReactNode }) => (
  <section className="card figure">
    <h2>{name}</h2>
    {children}
  </section>
)

type Tense = 'past' | 'now' | 'future'

function tenseOf({ month, months: [current = month] }: Usage): Tense {
  return month === current ? 'now' : month < current ? 'past' : 'future'
}

const NOTHING_HAPPENED: Readonly<Record<Tense, (month: string) => string>> = {
  past: (month) => `Nothing happened in ${month}`,
  now: () => 'Nothing has happened this month',
  future: (month) => `${month} is still to come`,
}

const isUsedUp = ({ used, limit }: Usage) => limit !== null && used >= limit

/** What happens when the month is over. */
function monthEndText(tense: Tense, { limit }: Usage): string {
  if (tense === 'past') return 'The month ended'
  if (tense === 'future') return 'The month ends'
  return limit === null ? 'No monthly limit. The count starts again' : 'Resets'
}
