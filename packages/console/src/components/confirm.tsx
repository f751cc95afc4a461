// A destructive act needs two deliberate ones: the dialog opens with the focus on Cancel, and its
// button answers only after a moment, so that a double click or a held Enter does nothing.
import { AlertDialog } from '@base-ui/react/alert-dialog'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { Field } from './field.tsx'
import { Problem } from './states.tsx'

const ARMED_AFTER_MS = 600

export type Confirmation = {
  title: string
  children: ReactNode
  verb: string
  /** To be typed before the button answers. */
  typed?: string
  /** It takes nothing away: its button is not that of a deletion. */
  isHarmless?: true
  act: () => Promise<unknown>
}

export function Confirm({
  confirmation,
  onClose,
  finalFocus,
}: {
  confirmation: Confirmation | undefined
  onClose: () => void
  /** Where the focus goes after it, when what opened it is gone by then, such as a menu. */
  finalFocus?: () => HTMLElement | null | false
}) {
  const [isBusy, setBusy] = useState(false)
  const cancel = useRef<HTMLButtonElement>(null)
  // Keeps the text while the dialog fades.
  const last = useRef(confirmation)
  if (confirmation) last.current = confirmation
  const shown = last.current
  return (
    <AlertDialog.Root
      open={confirmation !== undefined}
      onOpenChange={(next) => !next && !isBusy && onClose()}
    >
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="backdrop layer" />
        <AlertDialog.Popup
          className="dialog layer"
          initialFocus={cancel}
          {...(finalFocus && { finalFocus })}
        >
          {shown && (
            <Body confirmation={shown} onClose={onClose} onBusy={setBusy} cancel={cancel} />
          )}
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}

function Body({
  confirmation: { title, children, verb, typed, isHarmless, act },
  onClose,
  onBusy,
  cancel,
}: {
  confirmation: Confirmation
  onClose: () => void
  onBusy: (isBusy: boolean) => void
  cancel: React.RefObject<HTMLButtonElement | null>
}) {
  const [text, setText] = useState('')
  const isArmed = useArmed()
  const action = useMutation({
    mutationFn: act,
    onMutate: () => onBusy(true),
    onSettled: () => onBusy(false),
    onSuccess: onClose,
  })
  return (
    <>
      <AlertDialog.Title>{title}</AlertDialog.Title>
      <AlertDialog.Description render={<div className="stack tight" />}>
        {children}
      </AlertDialog.Description>
      {typed !== undefined && (
        <Field
          label={
            <>
              Type <code>{typed}</code> to confirm
            </>
          }
        >
          {(control) => (
            <input
              {...control}
              value={text}
              onChange={(event) => setText(event.target.value)}
              autoComplete="off"
              spellCheck={false}
            />
          )}
        </Field>
      )}
      {action.error && <Problem error={action.error} />}
      <div className="row end">
        <Button ref={cancel} onClick={onClose} disabled={action.isPending}>
          Cancel
        </Button>
        <Button
          tone={isHarmless ? 'primary' : 'danger'}
          isBusy={action.isPending}
          disabled={!isArmed || (typed !== undefined && text !== typed)}
          onClick={() => action.mutate()}
        >
          {action.isPending ? 'Working…' : verb}
        </Button>
      </div>
    </>
  )
}

function useArmed() {
  const [isArmed, setArmed] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setArmed(true), ARMED_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  return isArmed
}
