import { useEffect, useState } from 'react'
import { PATIENCE_MS } from '../api/patience.ts'

/** Whether something has been pending for `afterMs` since it began or since `progress` last changed. */
export function useIsOverdue(isPending: boolean, afterMs = PATIENCE_MS, progress?: unknown) {
  const [isOverdue, setOverdue] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of progress starts the time anew
  useEffect(() => {
    setOverdue(false)
    if (!isPending) return
    const timer = setTimeout(() => setOverdue(true), afterMs)
    return () => clearTimeout(timer)
  }, [isPending, afterMs, progress])
  return isPending && isOverdue
}
