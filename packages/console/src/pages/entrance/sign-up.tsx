// Creates an account where sign-up is open to everybody. Elsewhere the page says how to get an account,
// instead of showing a form that would be refused.
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { signUp } from '../../api/accounts.ts'
import { Button } from '../../components/button.tsx'
import { EmailField } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { Entrance } from '../../layout/entrance.tsx'
import { EntryProblem } from './entry-problem.tsx'
import { NewPassword } from './new-password.tsx'
import { Unobstructed } from './unobstructed.tsx'
import { useEntry } from './use-entry.ts'

export function SignUpPage() {
  const navigate = useNavigate()
  return (
    <Unobstructed
      title="Create an account"
      what="the form"
      onSignedIn={() => navigate({ to: '/keys', replace: true })}
    >
      {({ signUpIsOpen }) => (signUpIsOpen ? <SignUp /> : <ByInvitation />)}
    </Unobstructed>
  )
}

const ByInvitation = () => (
  <Entrance title="Accounts are by invitation" lead="An administrator sends you a link.">
    <p className="quiet">
      Have an account? <Link to="/sign-in">Sign in</Link>.
    </p>
  </Entrance>
)

function SignUp() {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const { enter, isPending, emailError, passwordError, otherError } = useEntry(signUp)
  return (
    <Entrance title="Create an account" lead="Then create a key, and your app can remember.">
      <Form isPending={isPending} onSubmit={() => enter({ email, password })}>
        <EmailField autoComplete="username" value={email} onChange={setEmail} error={emailError} />
        <NewPassword value={password} onChange={setPassword} error={passwordError} />
        {otherError && <EntryProblem error={otherError} />}
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
