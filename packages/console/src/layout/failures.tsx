// What stands in the place of what cannot be shown: there is no such page, it failed, its code is of
// another build than the server's, or the console does not know who is asking.
import { type ErrorComponentProps, Link } from '@tanstack/react-router'
import { get, isApiError } from '../api/client.ts'
import { Button } from '../components/button.tsx'
import { Empty, Problem } from '../components/states.tsx'
import { Entrance } from './entrance.tsx'
import { useTitle } from './page.tsx'

export function NotFound() {
  useTitle('Not found')
  return (
    <div className="page">
      <div className="card">
        <Empty icon="search" isPage title="There is no such page">
          <p>The address may be mistyped, or what it showed is gone.</p>
          <Link to="/keys" className="button">
            To the keys
          </Link>
        </Empty>
      </div>
    </div>
  )
}

/** Without the server a reload would leave nothing of the console, not even what says so. */
async function reload() {
  const failure = await get('/start', {}).catch((error: unknown) => error)
  if (!isApiError(failure, 'OFFLINE')) window.location.reload()
}

/** Nobody knows yet who is asking: there are no pages to go to. */
export const ConsoleFailed = ({ error }: ErrorComponentProps) => (
  <Entrance title="The console cannot be shown">
    <Problem error={error} retry={reload} />
  </Entrance>
)

/**
 * The server has another build by now, without the files of this one. The text is the browser's: by it the
 * router knows a script that is missing, and loads the console anew by itself, once.
 */
export class OutdatedConsole extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : undefined, { cause })
    this.name = 'OutdatedConsole'
  }
}

export const PageFailed = ({ error }: ErrorComponentProps) => (
  <div className="page">
    {error instanceof OutdatedConsole ? (
      <div className="notice warning" role="alert">
        <p>The console was updated meanwhile. Load it anew to go on.</p>
        <Button size="small" onClick={() => void reload()}>
          Load it anew
        </Button>
      </div>
    ) : (
      <Problem error={error} retry={reload} />
    )}
  </div>
)
