import { type ReactNode, useEffect } from 'react'

/** The title of the window, and for readers by ear the sign that the page has changed. */
export function useTitle(title: string) {
  useEffect(() => {
    document.title = `${title} · Mnemograph`
  }, [title])
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
          <h1>{title}</h1>
          {lead && <p className="quiet">{lead}</p>}
        </div>
        {actions && <div className="row">{actions}</div>}
      </header>
      {children}
    </div>
  )
}
