// For answers that do not come. A dialog waits for its answer, but not for ever: after a while it says so and
// can be closed. The request goes on, and if it fails a toast says so wherever the reader is by then.
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { isApiError, isDoubtful } from '../api/client.ts'
import { PATIENCE_MS } from '../api/patience.ts'
import { useIsOverdue } from './overdue.ts'
import { Problem, textOf } from './states.tsx'
import { useSay } from './toast.tsx'

export const Unanswered = ({ children }: { children: ReactNode }) => (
  <div className="notice warning" role="alert">
    <p>The server has not answered yet. {children}</p>
  </div>
)

/** For a dialog that can be closed by now. `doubt` says what may have happened all the same. */
export const Overdue = ({ doubt }: { doubt: string }) => (
  <Unanswered>{doubt} You can close this: when the answer comes, the page tells you.</Unanswered>
)

/** The error of something with a draft (draft.ts), which can safely be sent again. */
export const Unstored = ({ error }: { error: unknown }) => (
  <>
    <Problem error={error} />
    {isDoubtful(error) && <p>It may be stored all the same. Sent again, it is stored once.</p>}
  </>
)

/**
 * Holds the surrounding dialog open until the answer has come or is overdue; returns whether it is overdue.
 */
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

/** A ref that says whether the component was unmounted, for what a late answer does. */
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

/** Shows a toast about an error if the component that would show it is gone. */
export function useSayIfLeft() {
  const isLeft = useIsLeft()
  const { sayError } = useSay()
  return (what: ReactNode, error: Error) => {
    // A session that has ended leads to the sign-in page, and needs no toast.
    if (!isLeft.current || isApiError(error, 'NOT_SIGNED_IN')) return
    sayError(
      <>
        {what}: {textOf(error)}
      </>,
    )
  }
}
