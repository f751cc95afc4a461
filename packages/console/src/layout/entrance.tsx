// The frame of the pages before signing in.
import type { ReactNode } from 'react'
import { PAGE_TITLE } from '../components/vanishing.ts'
import { Brand } from './brand.tsx'
import { useTitle } from './page.tsx'
import { ThemeSwitch } from './theme-switch.tsx'

export function Entrance({
  title,
  lead,
  children,
}: {
  title: string
  lead?: ReactNode
  children: ReactNode
}) {
  useTitle(title)
  return (
    <div className="entrance">
      <header className="row apart">
        <Brand />
        <ThemeSwitch />
      </header>
      <main className="card stack">
        <div className="stack tight">
          <h1 id={PAGE_TITLE} tabIndex={-1}>
            {title}
          </h1>
          {lead && <p className="quiet">{lead}</p>}
        </div>
        {children}
      </main>
    </div>
  )
}
