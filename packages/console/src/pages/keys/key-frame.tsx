// The frame around every page of a key: its name, its menu, and the navigation between its pages.
import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useParams } from '@tanstack/react-router'
import { isApiError } from '../../api/client.ts'
import { keyQuery } from '../../api/keys.ts'
import { Empty, Loading, Problem } from '../../components/states.tsx'
import { KeyName, THE_PAGE, useTitle } from '../../layout/page.tsx'
import { KeyActions } from './key-actions.tsx'
import { Status } from './key-table.tsx'

export function KeyFrame() {
  const { key: id } = useParams({ from: '/shell/keys/$key' })
  const details = useQuery(keyQuery(id))
  if (isApiError(details.error, 'KEY_NOT_FOUND')) return <NoSuchKey />
  const key = details.data?.key
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
          <strong title={key?.name}>{key?.name ?? '…'}</strong>
          {key && <Status item={key} />}
          {key && <KeyActions item={key} />}
        </div>
        <nav className="subnav" aria-label="Of this key">
          <Link to="/keys/$key/start" params={{ key: id }}>
            Start here
          </Link>
          <Link to="/keys/$key/usage" params={{ key: id }}>
            Usage
          </Link>
          <Link to="/keys/$key/memories" params={{ key: id }}>
            Memories
          </Link>
          <Link to="/keys/$key/playground" params={{ key: id }}>
            Playground
          </Link>
          <Link to="/keys/$key/graph" params={{ key: id }}>
            Graph
          </Link>
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
        <Replaced by={key.replacedBy} />
      ) : (
        // By its key React starts the same page of another key afresh, without this one's question or entity.
        <KeyName key={id} value={key?.name}>
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

function Replaced({ by }: { by: string }) {
  useTitle('Replaced key')
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
