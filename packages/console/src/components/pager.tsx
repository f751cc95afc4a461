// Where one is in a list of pages that is not empty, with the way to newer and older ones.
import type { Pagination } from '../api/contract.ts'
import { Button } from './button.tsx'
import { number } from './number.ts'
import { useHandOn } from './vanishing.ts'

export function Pager({
  pagination: { page, limit, total, totalPages },
  onPage,
  isBusy,
}: {
  pagination: Pagination
  onPage: (page: number) => void
  isBusy: boolean
}) {
  // The page that it leads to may not come, and then the list is gone.
  const pager = useHandOn<HTMLElement>()
  const first = (page - 1) * limit + 1
  // Refused instead of disabled: the last press of a row leaves the focus where it is.
  return (
    <nav className="pager" aria-label="Pages" ref={pager}>
      <span className="number" role="status">
        {/* Arabic digits would turn round what stands between two of them. */}
        <bdi>{number(first)}</bdi>–<bdi>{number(Math.min(page * limit, total))}</bdi> of{' '}
        {number(total)}
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
