import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { sessionQuery, signUp } from '../../api/accounts.ts'
import { isApiError } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import { Button } from '../../components/button.tsx'
import { Field, fieldError } from '../../components/field.tsx'
import { Problem } from '../../components/states.tsx'
import { Entrance } from '../../layout/entrance.tsx'
import { NewPassword } from './new-password.tsx'

export function SignUpPage() {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const navigate = useNavigate()
  const attempt = useMutation({
    mutationFn: signUp,
    onSuccess: async (signedIn) => {
      queryClient.clear()
      queryClient.setQueryData(sessionQuery.queryKey, signedIn)
      await navigate({ to: '/keys' })
    },
  })
  return (
    <Entrance title="Create an account" lead="Then create a key, and your app can remember.">
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          attempt.mutate({ email, password })
        }}
      >
        <Field label="E-mail address" error={fieldError(attempt.error, 'email', 'EMAIL_TAKEN')}>
          {(control) => (
            <input
              {...control}
              type="email"
              autoComplete="username"
              value={email}
              onChange={(event) => setEmail(event.target.value)}
              required
            />
          )}
        </Field>
        <NewPassword value={password} onChange={setPassword} error={attempt.error} />
        {attempt.error && !isApiError(attempt.error, 'EMAIL_TAKEN') && (
          <Problem error={attempt.error} />
        )}
        <Button type="submit" tone="primary" isBusy={attempt.isPending}>
          {attempt.isPending ? 'Creating…' : 'Create the account'}
        </Button>
      </form>
      <p className="quiet">
        Have an account? <Link to="/sign-in">Sign in</Link>.
      </p>
    </Entrance>
  )
}
