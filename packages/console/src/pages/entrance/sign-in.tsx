// Signing in leads to the page that was asked for, with the state of its entry in the history. Whoever is
// signed in already is led there at once.
import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { signIn } from '../../api/accounts.ts'
import type { SignedIn } from '../../api/contract.ts'
import { Button } from '../../components/button.tsx'
import { EmailField, PasswordField } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { useIsOverdue } from '../../components/overdue.ts'
import { Problem } from '../../components/states.tsx'
import { Entrance } from '../../layout/entrance.tsx'
import { Unobstructed } from './unobstructed.tsx'
import { beginSession } from './use-entry.ts'

/** After failed tries the server delays its answer; from here on the page says so. */
const SLOW_AFTER_MS = 1_500
/** Longer than the server ever delays it. */
const UNANSWERED_AFTER_MS = 40_000

const HOME = 'To your keys and what they remember.'
const FURTHER =
  'To the page you were on your way to. A session ends when it is not used for a while.'

export function SignInPage() {
  const { next } = useSearch({ from: '/sign-in' })
  const goOn = useGoOn(next)
  return (
    <Unobstructed title="Sign in" what="the console" onSignedIn={goOn}>
      {({ signUpIsOpen }) => (
        <Entrance title="Sign in" lead={next === undefined ? HOME : FURTHER}>
          <SignInForm onSignedIn={goOn} />
          {signUpIsOpen ? (
            <p className="quiet">
              No account yet? <Link to="/sign-up">Create one</Link>.
            </p>
          ) : (
            <p className="quiet small">No account yet? An administrator invites you with a link.</p>
          )}
          <p className="quiet small">
            Password lost? An administrator sends you a link for a new one, or prints it where the
            server runs: <code>npx mnemograph accounts reset</code>
          </p>
        </Entrance>
      )}
    </Unobstructed>
  )
}

function useGoOn(next: string | undefined) {
  const navigate = useNavigate()
  return (signedIn: SignedIn) => {
    beginSession(signedIn)
    return navigate({ href: next ?? '/keys', replace: true, state: true })
  }
}

function SignInForm({ onSignedIn }: { onSignedIn: (signedIn: SignedIn) => Promise<void> }) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const attempt = useMutation({ mutationFn: signIn, onSuccess: onSignedIn })
  const isSlow = useIsOverdue(attempt.isPending, SLOW_AFTER_MS)
  const isUnanswered = useIsOverdue(attempt.isPending, UNANSWERED_AFTER_MS)
  return (
    <Form onSubmit={() => attempt.mutate({ email, password })}>
      <EmailField autoComplete="username" value={email} onChange={setEmail} />
      <PasswordField
        label="Password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
      />
      {attempt.error && <Problem error={attempt.error} />}
      <Button type="submit" tone="primary" isBusy={attempt.isPending}>
        {attempt.isPending ? 'Signing in…' : 'Sign in'}
      </Button>
      <p className="quiet small" role="status">
        {isUnanswered
          ? 'The server has not answered. Load this page anew to try again.'
          : isSlow && 'After failed tries the server takes its time. Please wait.'}
      </p>
    </Form>
  )
}
