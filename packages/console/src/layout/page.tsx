// The frame of a page: one title for the window and for the heading, which gets the focus when the reader
// comes from another page. A page without this frame calls useTitle and has its own heading with that id.
import { useMatch } from '@tanstack/react-router'
import { createContext, type ReactNode, use, useEffect } from 'react'
import { PAGE_TITLE, takeTitleFocus } from '../components/vanishing.ts'

/** For a link that is marked as current only on its own page, and not on the pages below it. */
export const THE_PAGE = { exact: true, includeSearch: false } as const

/** The name of the key whose pages these are. */
export const KeyName = createContext<string | undefined>(undefined)

/**
 * Sets the window's title, by which a screen reader tells that the page has changed. It names the key, since
 * there may be a window for each of several keys.
 */
export function useTitle(title: string) {
  const key = use(KeyName)
  useEffect(() => {
    document.title = [title, ...(key === undefined ? [] : [key]), 'Mnemograph'].join(' · ')
  }, [title, key])
  // The same page of another key counts as another page.
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
