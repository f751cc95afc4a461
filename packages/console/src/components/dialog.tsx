import { Dialog as Base } from '@base-ui/react/dialog'
import type { ReactNode, RefObject } from 'react'

export function Dialog({
  isOpen,
  onClose,
  title,
  description,
  isWide = false,
  isHeld = false,
  initialFocus,
  finalFocus,
  children,
}: {
  isOpen: boolean
  onClose: () => void
  title: ReactNode
  description?: ReactNode
  isWide?: boolean
  /** Closes by its own buttons alone: Escape and a press beside it do nothing. */
  isHeld?: boolean
  initialFocus?: RefObject<HTMLElement | null>
  /** Where the focus goes after it, when what opened it may be gone. */
  finalFocus?: () => HTMLElement | null
  children: ReactNode
}) {
  return (
    <Base.Root open={isOpen} onOpenChange={(next) => !next && !isHeld && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="backdrop layer" />
        <Base.Popup
          className={`dialog layer${isWide ? ' wide' : ''}`}
          {...(initialFocus && { initialFocus })}
          {...(finalFocus && { finalFocus })}
        >
          <Base.Title>{title}</Base.Title>
          {description && <Base.Description className="quiet">{description}</Base.Description>}
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
