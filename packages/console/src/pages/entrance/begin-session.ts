import { sessionQuery } from '../../api/accounts.ts'
import type { SignedIn } from '../../api/contract.ts'
import { queryClient } from '../../api/query-client.ts'

/** Forgets everything fetched before, which may be another account's. */
export function beginSession(signedIn: SignedIn) {
  queryClient.clear()
  queryClient.setQueryData(sessionQuery.queryKey, signedIn)
}
