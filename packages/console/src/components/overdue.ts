import { useEffect, useState } from 'react'
import { PATIENCE_MS } from '../api/patience.ts'

/** Whether something has been under way for that long, since it began or went on. */
export function useIsOverdue(isPending: boolean, afterMs = PATIENCE_MS, progress?: unknown) {
  const [isOverdue, setOverdue] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: every progress is waited for anew
  useEffect(() => {
    setOverdue(false)
    if (!isPending) return
    const timer = setTimeout(() => setOverdue(true), afterMs)
    return () => clearTimeout(timer)
  }, [isPending, afterMs, progress])
  return isPending && isOverdue
}
