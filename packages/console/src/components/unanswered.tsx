// For answers that do not come. A dialog waits for its answer, but not for good: after a while it says so
// and can be left. What was asked for goes on meanwhile, and what becomes of it is told where its reader is by
// then.
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { isApiError, isDoubtful } from '../api/client.ts'
import { PATIENCE_MS } from '../api/patience.ts'
import { useIsOverdue } from './overdue.ts'
import { Problem, textOf } from './states.tsx'
import { sayError } from './toast.tsx'

export const Unanswered = ({ children }: { children: ReactNode }) => (
  <div className="notice warning" role="alert">
    <p>The server has not answered yet. {children}</p>
  </div>
)

/** In a dialog that can be left by now. `doubt` says what may have happened all the same. */
export const Overdue = ({ doubt }: { doubt: string }) => (
  <Unanswered>{doubt} You can close this: when the answer comes, the page tells you.</Unanswered>
)

/** Of what has a draft (draft.ts). */
export const Unstored = ({ error }: { error: unknown }) => (
  <>
    <Problem error={error} />
    {isDoubtful(error) && <p>It may be stored all the same. Sent again, it is stored once.</p>}
  </>
)

/** Holds the dialog around it until the answer is there or overdue, which is what comes back. */
export function useHold(
  isPending: boolean,
  onHeld: (isHeld: boolean) => void,
  progress?: unknown,
): boolean {
  const isOverdue = useIsOverdue(isPending, PATIENCE_MS, progress)
  const isHeld = isPending && !isOverdue
  useLayoutEffect(() => {
    onHeld(isHeld)
    return () => onHeld(false)
  }, [isHeld, onHeld])
  return isOverdue
}

/** Whether this part of the page is gone, for what is done when an answer comes late. */
export function useIsLeft() {
  const isLeft = useRef(false)
  useEffect(() => {
    isLeft.current = false
    return () => {
      isLeft.current = true
    }
  }, [])
  return isLeft
}

/** What went wrong is said in passing when the dialog that would show it was left before. */
export function useSayIfLeft(what: ReactNode) {
  const isLeft = useIsLeft()
  return (error: Error) => {
    // The session has ended: the sign-in page is on its way.
    if (!isLeft.current || isApiError(error, 'NOT_SIGNED_IN')) return
    sayError(
      <>
        {what}: {textOf(error)}
      </>,
    )
  }
}
