// A changed password ends every session but that of this page, so the list of sessions beside the form is
// fetched again.
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { changePassword, sessionQuery, sessionsQuery } from '../../api/accounts.ts'
import { isDoubtful } from '../../api/client.ts'
import { queryClient, refetch } from '../../api/query-client.ts'
import { Button } from '../../components/button.tsx'
import { fieldError, PasswordField } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { Problem } from '../../components/states.tsx'
import { useSay } from '../../components/toast.tsx'
import { useSayIfLeft } from '../../components/unanswered.tsx'
import { NewPassword } from '../entrance/new-password.tsx'

export function PasswordForm({ email }: { email: string }) {
  const [currentPassword, setCurrent] = useState('')
  const [newPassword, setNew] = useState('')
  const { say } = useSay()
  const sayIfLeft = useSayIfLeft()
  const change = useMutation({
    mutationFn: changePassword,
    onSuccess: async (signedIn) => {
      queryClient.setQueryData(sessionQuery.queryKey, signedIn)
      setCurrent('')
      setNew('')
      say('The password is changed, and all other sessions ended.')
      await refetch(sessionsQuery)
    },
    onError: (error) => sayIfLeft('The new password', error),
  })
  const currentError = fieldError(change.error, 'currentPassword', 'WRONG_PASSWORD')
  const newError = fieldError(change.error, 'newPassword')
  return (
    <section className="card stack" aria-labelledby="password">
      <div>
        <h2 id="password">Password</h2>
        <p className="quiet">Changing it ends all other sessions.</p>
      </div>
      <Form
        isPending={change.isPending}
        onSubmit={() => change.mutate({ currentPassword, newPassword })}
      >
        {/* Tells password managers whose password this is. */}
        <input type="text" autoComplete="username" value={email} readOnly hidden />
        <PasswordField
          label="Current password"
          autoComplete="current-password"
          value={currentPassword}
          onChange={setCurrent}
          error={currentError}
        />
        <NewPassword label="New password" value={newPassword} onChange={setNew} error={newError} />
        {change.error && !currentError && !newError && <Problem error={change.error} />}
        {isDoubtful(change.error) && (
          <p>
            The password may be changed all the same: then you have to sign in with the new one.
          </p>
        )}
        <div className="row end">
          <Button type="submit" tone="primary" isBusy={change.isPending}>
            {change.isPending ? 'Changing…' : 'Change the password'}
          </Button>
        </div>
      </Form>
    </section>
  )
}
