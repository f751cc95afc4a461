// The page of one-time links: set-up, invitation, new password. The token stands behind the #, which browsers
// do not send, so that it reaches no log; it goes to the server in a body, and leaves the address once used.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { lookAtLink, redeemLink } from '../../api/accounts.ts'
import { isApiError } from '../../api/client.ts'
import type { LinkInfo } from '../../api/contract.ts'
import { Button } from '../../components/button.tsx'
import { EmailField } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { Loading, Problem } from '../../components/states.tsx'
import { Time } from '../../components/time.tsx'
import { Entrance } from '../../layout/entrance.tsx'
import { EntryProblem } from './entry-problem.tsx'
import { NewPassword } from './new-password.tsx'
import { NoCookies, UnsafeConnection } from './obstacles.tsx'
import { useEntry } from './use-entry.ts'

const TEXTS = {
  'set-up': {
    title: 'Set up the console',
    lead: 'This creates the first account. It is the administrator, and takes over the keys that exist already.',
    verb: 'Create the account',
  },
  invitation: {
    title: 'Welcome',
    lead: 'You were invited. Choose a password, and the account is yours.',
    verb: 'Create the account',
  },
  reset: {
    title: 'Choose a new password',
    lead: 'All sessions of the account end; you are signed in here.',
    verb: 'Set the password',
  },
} as const

export function LinkPage() {
  const token = useToken()
  const info = useQuery({
    queryKey: ['link', token],
    queryFn: () => lookAtLink(token),
    enabled: token !== '',
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (token === '') {
    return (
      <Entrance title="This link is not complete">
        <p>Copy the whole link, with the part behind the #, and open it again.</p>
        <ToSignIn />
      </Entrance>
    )
  }
  if (isApiError(info.error, 'CONNECTION_NOT_SAFE')) return <UnsafeConnection />
  if (!navigator.cookieEnabled) return <NoCookies />
  if (info.error) {
    const isRefused = isApiError(info.error) && [400, 410].includes(info.error.status)
    return (
      <Entrance title={isRefused ? 'This link does not work' : 'The link cannot be looked at'}>
        <Problem error={info.error} {...(!isRefused && { retry: info.refetch })} />
        <ToSignIn />
      </Entrance>
    )
  }
  if (!info.data) {
    return (
      <Entrance title="One moment">
        <Loading what="the link" lines={3} />
      </Entrance>
    )
  }
  return <Redeem key={token} token={token} info={info.data} />
}

const inAddress = () => window.location.hash.slice(1)

/**
 * Follows the address: pasting a link over another one changes only the part behind the #, and loads nothing.
 */
function useToken() {
  const [token, setToken] = useState(inAddress)
  useEffect(() => {
    const follow = () => setToken(inAddress())
    window.addEventListener('hashchange', follow)
    return () => window.removeEventListener('hashchange', follow)
  }, [])
  return token
}

const ToSignIn = () => (
  <p>
    <Link to="/sign-in">To the sign-in page</Link>
  </p>
)

function Redeem({ token, info }: { token: string; info: LinkInfo }) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const { title, lead, verb } = TEXTS[info.kind]
  const { enter, isPending, emailError, passwordError, otherError } = useEntry(redeemLink)
  return (
    <Entrance title={title} lead={lead}>
      <Form
        isPending={isPending}
        onSubmit={() => enter({ token, password, ...(info.email === null && { email }) })}
      >
        <EmailField
          autoComplete="username"
          value={info.email ?? email}
          onChange={setEmail}
          readOnly={info.email !== null}
          error={emailError}
        />
        <NewPassword value={password} onChange={setPassword} error={passwordError} />
        {otherError && <EntryProblem error={otherError} />}
        <Button type="submit" tone="primary" isBusy={isPending}>
          {isPending ? 'One moment…' : verb}
        </Button>
      </Form>
      <p className="quiet small">
        The link works once, until <Time at={info.expiresAt} />.
      </p>
    </Entrance>
  )
}
