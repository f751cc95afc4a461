import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { sessionQuery } from '../../api/accounts.ts'
import type { SignedIn } from '../../api/contract.ts'

/**
 * Whoever is signed in already, by now also in another tab, has nothing to do at the entrance. True for
 * them, and until it is known who comes.
 */
export function useLedOn(goOn: (signedIn: SignedIn) => Promise<void>): boolean {
  const session = useQuery({ ...sessionQuery, retry: false, refetchOnWindowFocus: 'always' })
  // biome-ignore lint/correctness/useExhaustiveDependencies: as soon as it is known
  useEffect(() => {
    if (session.data) void goOn(session.data)
  }, [session.data])
  return session.isPending || session.data !== undefined
}
