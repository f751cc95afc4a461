// Creates an account where sign-up is open to everybody. Elsewhere the page says how to get an account,
// instead of showing a form that would be refused.
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { signUp, startQuery } from '../../api/accounts.ts'
import { Button } from '../../components/button.tsx'
import { EmailField } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { Loading, Problem } from '../../components/states.tsx'
import { Entrance } from '../../layout/entrance.tsx'
import { useLedOn } from './led-on.ts'
import { NewPassword } from './new-password.tsx'
import { NeedsSetUp, NoCookies, UnsafeConnection } from './obstacles.tsx'
import { useEntry } from './use-entry.ts'

export function SignUpPage() {
  const start = useQuery(startQuery)
  const navigate = useNavigate()
  const isLedOn = useLedOn(() => navigate({ to: '/keys', replace: true }))
  if (start.isPending || isLedOn) {
    return (
      <Entrance title="Create an account">
        <Loading what="the form" lines={3} />
      </Entrance>
    )
  }
  if (start.isLoadingError) {
    return (
      <Entrance title="Create an account">
        <Problem error={start.error} retry={start.refetch} />
      </Entrance>
    )
  }
  if (start.data.needsSetUp) return <NeedsSetUp />
  if (!start.data.connectionIsSafe) return <UnsafeConnection />
  if (!navigator.cookieEnabled) return <NoCookies />
  if (!start.data.signUpIsOpen) {
    return (
      <Entrance title="Accounts are by invitation" lead="An administrator sends you a link.">
        <p className="quiet">
          Have an account? <Link to="/sign-in">Sign in</Link>.
        </p>
      </Entrance>
    )
  }
  return <SignUp />
}

function SignUp() {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const { enter, isPending, emailError, passwordError, otherError } = useEntry(signUp)
  return (
    <Entrance title="Create an account" lead="Then create a key, and your app can remember.">
      <Form isPending={isPending} onSubmit={() => enter({ email, password })}>
        <EmailField autoComplete="username" value={email} onChange={setEmail} error={emailError} />
        <NewPassword value={password} onChange={setPassword} error={passwordError} />
        {otherError && <Problem error={otherError} />}
        <Button type="submit" tone="primary" isBusy={isPending}>
          {isPending ? 'Creating…' : 'Create the account'}
        </Button>
      </Form>
      <p className="quiet">
        Have an account? <Link to="/sign-in">Sign in</Link>.
      </p>
    </Entrance>
  )
}
