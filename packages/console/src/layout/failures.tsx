import { type ErrorComponentProps, Link } from '@tanstack/react-router'
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

/** Nobody knows yet who is asking: there are no pages to go to. */
export const ConsoleFailed = ({ error }: ErrorComponentProps) => (
  <Entrance title="The console cannot be shown">
    <Problem error={error} retry={() => window.location.reload()} />
  </Entrance>
)

export const PageFailed = ({ error, reset }: ErrorComponentProps) => (
  <div className="page">
    <Problem
      error={error}
      retry={() => {
        reset()
        window.location.reload()
      }}
    />
  </div>
)
