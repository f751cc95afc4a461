// The frame around every page of a key: its name, its menu, and the navigation between its pages.
import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useLocation, useParams } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { isApiError } from '../../api/client.ts'
import { keyQuery } from '../../api/keys.ts'
import { handOverDrafts } from '../../components/draft.ts'
import { shownName } from '../../components/shown-name.ts'
import { Empty, Loading, Problem } from '../../components/states.tsx'
import { focusOn, PAGE_TITLE } from '../../components/vanishing.ts'
import { KeyName, THE_PAGE, useTitle } from '../../layout/page.tsx'
import { KeyActions } from './key-actions.tsx'
import { Status } from './key-table.tsx'

const PAGES = [
  { to: '/keys/$key/start', name: 'Start here' },
  { to: '/keys/$key/usage', name: 'Usage' },
  { to: '/keys/$key/memories', name: 'Memories' },
  { to: '/keys/$key/playground', name: 'Playground' },
  { to: '/keys/$key/graph', name: 'Graph' },
] as const

export function KeyFrame() {
  const { key: id } = useParams({ from: '/shell/keys/$key' })
  const path = useLocation({ select: ({ pathname }) => pathname })
  const details = useQuery(keyQuery(id))
  const [openedId, setOpenedId] = useState<string>()
  const key = details.data?.key
  const isOpen = key?.replacedBy === null
  useEffect(() => {
    if (isOpen) setOpenedId(id)
  }, [isOpen, id])
  if (isApiError(details.error, 'KEY_NOT_FOUND')) return <NoSuchKey />
  const shown = key && shownName(key.name)
  return (
    <>
      <div className="key-head">
        <div className="trail">
          <Link to="/keys" activeOptions={THE_PAGE}>
            Keys
          </Link>
          <span className="quiet" aria-hidden="true">
            /
          </span>
          <strong title={shown}>{shown ?? '…'}</strong>
          {key && <Status item={key} />}
          {/* By its page: "back" leaves an open menu or question behind, which would lie over the next page, and
              a purge that is about to be confirmed would become one of another key. */}
          {key && <KeyActions key={path} item={key} />}
        </div>
        <nav className="subnav" aria-label="Of this key">
          {PAGES.map(({ to, name }) => (
            <Link key={to} to={to} params={{ key: id }}>
              {name}
            </Link>
          ))}
        </nav>
      </div>
      {details.isLoadingError ? (
        <div className="page">
          <Problem error={details.error} retry={details.refetch} />
        </div>
      ) : details.isPending ? (
        <div className="page">
          <Loading what="the key" />
        </div>
      ) : key?.replacedBy ? (
        <Replaced id={id} by={key.replacedBy} wasOpen={openedId === id} />
      ) : (
        // By its key React starts the same page of another key afresh, without this one's question or entity.
        <KeyName key={id} value={shown}>
          <Outlet />
        </KeyName>
      )}
    </>
  )
}

function NoSuchKey() {
  useTitle('No such key')
  return (
    <div className="page">
      <div className="card">
        <Empty icon="key" isPage title="There is no such key">
          <p>It may belong to another account.</p>
          <Link to="/keys" className="button">
            To your keys
          </Link>
        </Empty>
      </div>
    </div>
  )
}

function Replaced({ id, by, wasOpen }: { id: string; by: string; wasOpen: boolean }) {
  useTitle('Replaced key')
  useEffect(() => {
    handOverDrafts(id, by)
    // Another tab did it, and what had the focus here has vanished.
    if (wasOpen && document.activeElement === document.body) focusOn(PAGE_TITLE)
  }, [id, by, wasOpen])
  return (
    <div className="page">
      <div className="card">
        <Empty icon="rotate" isPage title="This key was replaced">
          <p>Its data, plan and usage belong to the key that took its place.</p>
          <Link to="/keys/$key/usage" params={{ key: by }} className="button">
            To that key
          </Link>
        </Empty>
      </div>
    </div>
  )
}
