// Where one is in a list of pages, with the way to newer and older ones; and how the whole console
// writes numbers and counts.
import type { Pagination } from '../api/contract.ts'
import { Button } from './button.tsx'

const NUMBER = new Intl.NumberFormat()
export const number = (value: number) => NUMBER.format(value)

/** "1 memory", "2,000 memories". */
export const count = (value: number, one: string, many = `${one}s`) =>
  `${number(value)} ${value === 1 ? one : many}`

export function Pager({
  pagination: { page, limit, total, totalPages },
  onPage,
  isBusy,
}: {
  pagination: Pagination
  onPage: (page: number) => void
  isBusy: boolean
}) {
  const first = (page - 1) * limit + 1
  // Refused instead of disabled: the last press of a row leaves the focus where it is.
  return (
    <nav className="pager" aria-label="Pages">
      <span className="number" role="status">
        {total === 0
          ? 'None'
          : `${number(first)}–${number(Math.min(page * limit, total))} of ${number(total)}`}
        {isBusy && ' · loading…'}
      </span>
      <span className="row">
        <Button size="small" aria-disabled={page <= 1} onClick={() => onPage(page - 1)}>
          Newer
        </Button>
        <Button size="small" aria-disabled={page >= totalPages} onClick={() => onPage(page + 1)}>
          Older
        </Button>
      </span>
    </nav>
  )
}
