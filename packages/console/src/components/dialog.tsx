// Closed by Escape and by a press beside it, until something was typed into it: from then on by its
// own buttons alone, so that no slip of the hand takes a text away.
import { Dialog as Base } from '@base-ui/react/dialog'
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'

/** As long after the first as a click may come and still be the second half of a double click. */
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
  /** It is there to be read: the focus is on its heading. On a button below, it would be shown from its end. */
  isRead?: boolean
  initialFocus?: RefObject<HTMLElement | null>
  /** Where the focus goes after it, when what opened it may be gone; false when it is led elsewhere. */
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
    // What was opened by a double click is not closed by its second half, which falls beside it. When that was
    // pressed counts: a busy page hears of it later.
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
