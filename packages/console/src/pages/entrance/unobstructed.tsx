// What the pages of signing in and signing up share: the form is shown only once it is known that nobody is
// signed in already, by now also in another tab, and that nothing else stands in the way.
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { sessionQuery, startQuery } from '../../api/accounts.ts'
import type { SignedIn, Start } from '../../api/contract.ts'
import { Loading, Problem } from '../../components/states.tsx'
import { Entrance } from '../../layout/entrance.tsx'
import { NeedsSetUp, NoCookies, UnsafeConnection } from './obstacles.tsx'

type GoOn = (signedIn: SignedIn) => Promise<void>

export function Unobstructed({
  title,
  what,
  onSignedIn,
  children,
}: {
  title: string
  /** What is said to be loading until then. */
  what: string
  /** Leads on whoever is signed in already. */
  onSignedIn: GoOn
  children: (start: Start) => ReactNode
}) {
  const start = useQuery(startQuery)
  const isLedOn = useLeadOn(onSignedIn)
  if (start.isPending || isLedOn) {
    return (
      <Entrance title={title}>
        <Loading what={what} lines={3} />
      </Entrance>
    )
  }
  if (start.isLoadingError) {
    return (
      <Entrance title={title}>
        <Problem error={start.error} retry={start.refetch} />
      </Entrance>
    )
  }
  if (start.data.needsSetUp) return <NeedsSetUp />
  if (!start.data.connectionIsSafe) return <UnsafeConnection />
  if (!navigator.cookieEnabled) return <NoCookies />
  return children(start.data)
}

/** True while somebody is led on, and until it is known whether anybody is signed in. */
function useLeadOn(onSignedIn: GoOn): boolean {
  const session = useQuery({ ...sessionQuery, retry: false, refetchOnWindowFocus: 'always' })
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each session, not for each new function
  useEffect(() => {
    if (session.data) void onSignedIn(session.data)
  }, [session.data])
  return session.isPending || session.data !== undefined
}
