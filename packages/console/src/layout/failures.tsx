// What is shown instead of a page: when there is no such page, when it failed, when its code belongs to an
// older build than the server's, and when the session could not be asked for.
import { type ErrorComponentProps, Link } from '@tanstack/react-router'
import { get, isAway } from '../api/client.ts'
import { Button } from '../components/button.tsx'
import { Empty, Problem } from '../components/states.tsx'
import { Entrance } from './entrance.tsx'
import { useTitle } from './page.tsx'

const NO_SUCH_PAGE = 'There is no such page'
const why = <p>The address may be mistyped, or what it showed is gone.</p>
const toTheKeys = (
  <Link to="/keys" className="button">
    To the keys
  </Link>
)

export function NotFound() {
  useTitle('Not found')
  return (
    <div className="page">
      <div className="card">
        <Empty icon="search" isPage title={NO_SUCH_PAGE}>
          {why}
          {toTheKeys}
        </Empty>
      </div>
    </div>
  )
}

/** For an address that the router cannot decode. It then shows no page at all, so this has a frame of its own. */
export const Undecodable = () => (
  <Entrance title={NO_SUCH_PAGE}>
    {why}
    {toTheKeys}
  </Entrance>
)

/** Only if the service answers: else a reload would replace this message by the browser's, or a proxy's. */
async function reload() {
  const failure = await get('/start', {}).catch((error: unknown) => error)
  if (!isAway(failure)) window.location.reload()
}

/** Without the session there are no pages to go to, hence the frame of the entrance. */
export const ConsoleFailed = ({ error }: ErrorComponentProps) => (
  <Entrance title="The console cannot be shown">
    <Problem error={error} retry={reload} />
  </Entrance>
)

/**
 * The server has a newer build by now, without the files of this one. It keeps the browser's message, by
 * which the router recognizes a missing script and reloads the console by itself, once.
 */
export class OutdatedConsole extends Error {
  override readonly name = 'OutdatedConsole'

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : undefined, { cause })
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
