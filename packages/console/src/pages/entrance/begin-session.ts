import { sessionQuery } from '../../api/accounts.ts'
import type { SignedIn } from '../../api/contract.ts'
import { queryClient } from '../../api/query-client.ts'
import { focusOnNextTitle } from '../../components/vanishing.ts'

/** With nothing fetched before: that may be another account's. The form that had the focus is left. */
export function beginSession(signedIn: SignedIn) {
  focusOnNextTitle()
  queryClient.clear()
  queryClient.setQueryData(sessionQuery.queryKey, signedIn)
}
