import { type ErrorComponentProps, Link } from '@tanstack/react-router'
import { get, isApiError } from '../api/client.ts'
import { Empty, Problem } from '../components/states.tsx'
import { Entrance } from './entrance.tsx'
import { useTitle } from './page.tsx'

export function NotFound() {
  useTitle('Not found')
  return (
    <main className="page">
      <div className="card">
        <Empty icon="search" isPage title="There is no such page">
          <p>The address may be mistyped, or what it showed is gone.</p>
          <Link to="/keys" className="button">
            To the keys
          </Link>
        </Empty>
      </div>
    </main>
  )
}

/** Without the server a reload would leave nothing of the console, not even what says so. */
async function reload() {
  const failure = await get('/start').catch((error: unknown) => error)
  if (!isApiError(failure, 'OFFLINE')) window.location.reload()
}

/** Nobody knows yet who is asking: there are no pages to go to. */
export const ConsoleFailed = ({ error }: ErrorComponentProps) => (
  <Entrance title="The console cannot be shown">
    <Problem error={error} retry={reload} />
  </Entrance>
)

export const PageFailed = ({ error }: ErrorComponentProps) => (
  <div className="page">
    <Problem error={error} retry={reload} />
  </div>
)
