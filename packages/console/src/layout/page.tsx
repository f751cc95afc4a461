// What every page has: one title for the window and for the heading, to which whoever comes from
// another page is taken. A page without this frame calls useTitle and has such a heading of its own.
import { useMatch } from '@tanstack/react-router'
import { createContext, type ReactNode, use, useEffect } from 'react'
import { PAGE_TITLE, takeTitleFocus } from '../components/vanishing.ts'

/** Of a link that is the current one on its page alone, and not on the pages below. */
export const THE_PAGE = { exact: true, includeSearch: false } as const

/** The name of the key whose pages these are. */
export const KeyName = createContext<string | undefined>(undefined)

/**
 * The title of the window, and for readers by ear the sign that the page has changed. It names the key:
 * whoever has several has a window of each.
 */
export function useTitle(title: string) {
  const key = use(KeyName)
  useEffect(() => {
    document.title = [title, ...(key === undefined ? [] : [key]), 'Mnemograph'].join(' · ')
  }, [title, key])
  // The same page of another key is another one.
  const path = useMatch({ strict: false, select: ({ pathname }) => pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each page
  useEffect(takeTitleFocus, [path])
}

export function Page({
  title,
  lead,
  actions,
  children,
}: {
  title: string
  lead?: ReactNode
  actions?: ReactNode
  children: ReactNode
}) {
  useTitle(title)
  return (
    <div className="page stack loose">
      <header className="row apart page-head">
        <div>
          <h1 id={PAGE_TITLE} tabIndex={-1}>
            {title}
          </h1>
          {lead && <p className="quiet">{lead}</p>}
        </div>
        {actions && <div className="row">{actions}</div>}
      </header>
      {children}
    </div>
  )
}
