// What the forms of a new account and of a one-time link share: a session comes back, which leads to the
// keys, and each error is shown once, beside its field or, if it is about none, above the button.
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { sessionQuery } from '../../api/accounts.ts'
import type { SignedIn } from '../../api/contract.ts'
import { queryClient } from '../../api/query-client.ts'
import { fieldError } from '../../components/field.tsx'

/** Forgets everything fetched before, which may be another account's. */
export function beginSession(signedIn: SignedIn) {
  queryClient.clear()
  queryClient.setQueryData(sessionQuery.queryKey, signedIn)
}

export function useEntry<Body>(enter: (body: Body) => Promise<SignedIn>) {
  const navigate = useNavigate()
  const { mutate, isPending, error } = useMutation({
    mutationFn: enter,
    onSuccess: async (signedIn) => {
      beginSession(signedIn)
      await navigate({ to: '/keys', replace: true })
    },
  })
  const emailError = fieldError(error, 'email', 'EMAIL_TAKEN')
  const passwordError = fieldError(error, 'password')
  const otherError = emailError || passwordError ? null : error
  return { enter: mutate, isPending, emailError, passwordError, otherError }
}
