// A dialog that Escape and a press beside it close, until something was typed into it: from then on only its
// own buttons do, so that no slip of the hand loses a text.
import { Dialog as Base } from '@base-ui/react/dialog'
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'

/** The longest time between the two clicks of a double click. */
const DOUBLE_CLICK_MS = 500

export function Dialog({
  isOpen,
  onClose,
  title,
  description,
  isWide = false,
  isHeld = false,
  isRead = false,
  initialFocus,
  finalFocus,
  children,
}: {
  isOpen: boolean
  onClose: () => void
  title: ReactNode
  description?: ReactNode
  isWide?: boolean
  /** Closes by its own buttons alone from the beginning. */
  isHeld?: boolean
  /** The focus is on its heading, since it is there to be read: on a button it would open scrolled down. */
  isRead?: boolean
  initialFocus?: RefObject<HTMLElement | null>
  /** Where the focus goes after the dialog, if what opened it may be gone; false if other code moves it. */
  finalFocus?: () => HTMLElement | null | false
  children: ReactNode
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  const openedAt = useRef(0)
  const isTyped = useRef(false)
  useEffect(() => {
    if (!isOpen) return
    openedAt.current = performance.now()
    isTyped.current = false
  }, [isOpen])
  const change = (next: boolean, { reason, event }: Base.Root.ChangeEventDetails) => {
    // The second click of a double click, whose first one opened the dialog, falls beside it and shall not
    // close it. The event's own time counts, because a busy page handles it later.
    const isSecondHalf = event.timeStamp - openedAt.current < DOUBLE_CLICK_MS
    if (next || isHeld || isTyped.current || (reason === 'outside-press' && isSecondHalf)) return
    onClose()
  }
  return (
    <Base.Root open={isOpen} onOpenChange={change}>
      <Base.Portal>
        <Base.Backdrop className="backdrop layer" />
        <Base.Popup
          className={`dialog layer${isWide ? ' wide' : ''}`}
          onInput={() => {
            isTyped.current = true
          }}
          {...(isRead && { initialFocus: heading })}
          {...(initialFocus && { initialFocus })}
          {...(finalFocus && { finalFocus })}
        >
          <Base.Title ref={heading} tabIndex={-1}>
            {title}
          </Base.Title>
          {description && <Base.Description className="quiet">{description}</Base.Description>}
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
