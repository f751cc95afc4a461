// What a view shows while it loads, when it is empty, and when something went wrong.
import type { ReactNode } from 'react'
import { isApiError, isDoubtful } from '../api/client.ts'
import { Button } from './button.tsx'
import { Icon, type IconName } from './icons.tsx'
import { useIsOverdue } from './overdue.ts'
import { PAGE_TITLE, useFocusHandover } from './vanishing.ts'

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
  /** It is all that the page shows, so its title is the page's heading. */
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
  const notice = useFocusHandover<HTMLDivElement>()
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

/** The server itself called the request invalid or its object missing: trying again cannot help. */
const isFinal = (error: unknown) =>
  isApiError(error) && !isDoubtful(error) && [400, 404].includes(error.status)

type Query<Data> = { data: Data | undefined; error: unknown; refetch: () => unknown }

/** When a refetch fails the data from before stays, with the error above it. `card`: around what loads. */
export function Fetched<Data>({
  query: { data, error, refetch },
  card,
  children,
  ...loading
}: {
  query: Query<Data>
  what: string
  lines?: number
  card?: 'card' | 'card flush'
  children: (data: Data) => ReactNode
}) {
  const waiting = <Loading {...loading} />
  return (
    <>
      {error !== null && <Problem error={error} retry={refetch} />}
      {data !== undefined
        ? children(data)
        : error === null && (card ? <div className={card}>{waiting}</div> : waiting)}
    </>
  )
}

export function textOf(error: unknown): string {
  if (!isApiError(error)) return 'Something went wrong in this page. Reload it and try again.'
  // The messages of other errors say themselves how long to wait.
  if (error.code !== 'TOO_MANY_ATTEMPTS' || error.retryAfter === undefined) return error.message
  return `${error.message} Try again in ${error.retryAfter} s.`
}
