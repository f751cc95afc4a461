// The reader's place in a list of pages that is not empty, with buttons to newer and older ones.
import type { Pagination } from '../api/contract.ts'
import { Button } from './button.tsx'
import { number } from './number.ts'
import { useFocusHandover } from './vanishing.ts'

export function Pager({
  pagination: { page, limit, total, totalPages },
  onPage,
  isBusy,
}: {
  pagination: Pagination
  onPage: (page: number) => void
  isBusy: boolean
}) {
  // If the next page fails to load, the list and this pager vanish.
  const pager = useFocusHandover<HTMLElement>()
  const first = (page - 1) * limit + 1
  // `aria-disabled` instead of `disabled`, so that a button keeps the focus when the last page is reached.
  return (
    <nav className="pager" aria-label="Pages" ref={pager}>
      <span className="number" role="status">
        {/* Between two numbers in Arabic digits the text would be laid out right to left. */}
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
