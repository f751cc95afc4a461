// The reader's place in a list that is not empty, with buttons to newer and older pages if it has several.
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
  const first = (page - 1) * limit + 1
  return (
    <nav className="pager" aria-label="Pages">
      <span className="number" role="status">
        {/* Between two numbers in Arabic digits the text would be laid out right to left. */}
        <bdi>{number(first)}</bdi>–<bdi>{number(Math.min(page * limit, total))}</bdi> of{' '}
        {number(total)}
        {isBusy && ' · loading…'}
      </span>
      {totalPages > 1 && <Steps page={page} totalPages={totalPages} onPage={onPage} />}
    </nav>
  )
}

function Steps({
  page,
  totalPages,
  onPage,
}: {
  page: number
  totalPages: number
  onPage: (page: number) => void
}) {
  // If the next page fails to load the list vanishes; it may also shrink to one page.
  const steps = useFocusHandover<HTMLSpanElement>()
  // `aria-disabled` instead of `disabled`, so that a button keeps the focus when the last page is reached.
  return (
    <span className="row" ref={steps}>
      <Button size="small" aria-disabled={page <= 1} onClick={() => onPage(page - 1)}>
        Newer
      </Button>
      <Button size="small" aria-disabled={page >= totalPages} onClick={() => onPage(page + 1)}>
        Older
      </Button>
    </span>
  )
}
