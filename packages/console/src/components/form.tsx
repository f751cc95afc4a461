// A form that is sent by the code of its page: the browser does not leave it.
import type { ReactNode } from 'react'

export const Form = ({
  className = 'stack',
  onSubmit,
  children,
}: {
  className?: string
  onSubmit: () => void
  children: ReactNode
}) => (
  <form
    className={className}
    onSubmit={(event) => {
      event.preventDefault()
      onSubmit()
    }}
  >
    {children}
  </form>
)
