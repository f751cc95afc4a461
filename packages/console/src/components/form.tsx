// A form that is sent by the code of its page: the browser does not leave it. While its answer is awaited
// nothing can be typed: the answer may close the form, and would take it away.
import type { ReactNode } from 'react'
import { FieldsAreHeld } from './field.tsx'
import { useIsOverdue } from './overdue.ts'
import { Unanswered } from './unanswered.tsx'

export function Form({
  className = 'stack',
  isPending = false,
  onSubmit,
  children,
}: {
  className?: string
  /** What was sent is under way: it is said when no answer comes. */
  isPending?: boolean
  onSubmit: () => void
  children: ReactNode
}) {
  const isOverdue = useIsOverdue(isPending)
  return (
    <form
      className={className}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <FieldsAreHeld value={isPending && !isOverdue}>{children}</FieldsAreHeld>
      {isOverdue && <Unanswered>What you sent may have arrived all the same.</Unanswered>}
    </form>
  )
}
