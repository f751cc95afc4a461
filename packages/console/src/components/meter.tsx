import { number } from './number.ts'

/** How much of a quota is used; without a limit only the number. */
export function QuotaMeter({ used, limit }: { used: number; limit: number | null }) {
  if (limit === null) return <span className="number">{number(used)}</span>
  const share = Math.min(1, used / limit)
  const tone = share >= 1 ? ' full' : share >= 0.8 ? ' high' : ''
  return (
    <span className="quota">
      <span className="number">
        {number(used)} <span className="quiet">of {number(limit)}</span>
      </span>
      <span className={`meter${tone}`} aria-hidden="true">
        <span style={{ width: `${share * 100}%` }} />
      </span>
    </span>
  )
}
