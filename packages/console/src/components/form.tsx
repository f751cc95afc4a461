// A form that a script sends, so that the browser stays on the page. While it waits for its answer nothing
// can be typed: the answer may close the form, and the text would be lost.
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
  /** A request is under way; the form says so when no answer comes. */
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
