// What a view shows when it has nothing to show yet, nothing at all, or something went wrong.
import type { ReactNode } from 'react'
import { isApiError, isDoubtful } from '../api/client.ts'
import { Button } from './button.tsx'
import { Icon, type IconName } from './icons.tsx'
import { useIsOverdue } from './overdue.ts'
import { PAGE_TITLE, useHandOn } from './vanishing.ts'

export function Loading({ what, lines = 6 }: { what: string; lines?: number }) {
  const isOverdue = useIsOverdue(true)
  return (
    <div className="skeleton" role="status">
      {isOverdue && <p>The server has not answered yet.</p>}
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are alike and never move
        <span key={line} />
      ))}
      <p className="visually-hidden">Loading {what}…</p>
    </div>
  )
}

export const Empty = ({
  icon,
  title,
  isPage = false,
  children,
}: {
  icon: IconName
  title: string
  /** It is all that the page has: its title is the page's. */
  isPage?: boolean
  children?: ReactNode
}) => (
  <div className="empty">
    <Icon name={icon} />
    {isPage ? (
      <h1 id={PAGE_TITLE} tabIndex={-1}>
        {title}
      </h1>
    ) : (
      <h2>{title}</h2>
    )}
    {children}
  </div>
)

export function Problem({ error, retry }: { error: unknown; retry?: () => unknown }) {
  const notice = useHandOn<HTMLDivElement>()
  return (
    <div className="notice danger" role="alert" ref={notice}>
      <p>{textOf(error)}</p>
      {retry && !isFinal(error) && (
        <Button size="small" onClick={() => retry()}>
          Try again
        </Button>
      )}
    </div>
  )
}

/** By the server's own word: what is not valid stays so, and what is gone does not come back. */
const isFinal = (error: unknown) =>
  isApiError(error) && !isDoubtful(error) && [400, 404].includes(error.status)

type Query<Data> = { data: Data | undefined; error: unknown; refetch: () => unknown }

/** What a query has brought stays when it is asked for again in vain: then the error stands above it. */
export const Fetched = <Data,>({
  query: { data, error, refetch },
  children,
  ...loading
}: {
  query: Query<Data>
  what: string
  lines?: number
  children: (data: Data) => ReactNode
}) => (
  <>
    {error !== null && <Problem error={error} retry={refetch} />}
    {data !== undefined ? children(data) : error === null && <Loading {...loading} />}
  </>
)

export function textOf(error: unknown): string {
  if (!isApiError(error)) return 'Something went wrong in this page. Reload it and try again.'
  // Other errors with a time to wait say it themselves.
  if (error.code !== 'TOO_MANY_ATTEMPTS' || error.retryAfter === undefined) return error.message
  return `${error.message} Try again in ${error.retryAfter} s.`
}
