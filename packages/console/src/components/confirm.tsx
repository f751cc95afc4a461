// Asks before a destructive act. The dialog opens with the focus on Cancel, and its button is enabled only
// after a moment, so that neither a double click nor a held Enter confirms. It stays open until the act is
// done; when no answer comes it can be closed, and the act goes on.
import { AlertDialog } from '@base-ui/react/alert-dialog'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { isDoubtful } from '../api/client.ts'
import { Button } from './button.tsx'
import { Problem } from './states.tsx'
import { Overdue, useHold, useSayIfLeft } from './unanswered.tsx'

const ARMED_AFTER_MS = 600
const DOUBT = 'It may be done all the same.'

export type Confirmation = {
  title: string
  children: ReactNode
  verb: string
  /** The act takes nothing away, and its button does not look like that of a deletion. */
  isHarmless?: true
  act: () => Promise<unknown>
  /** What to say about the outcome when no answer has come. */
  doubt?: string
  /** Fetches again what the act has changed if it is done all the same. */
  onDoubt?: () => unknown
}

export function Confirm({
  confirmation,
  onClose,
  finalFocus,
}: {
  confirmation: Confirmation | undefined
  onClose: () => void
  /** Where the focus goes after the dialog, when what opened it, such as a menu, is gone by then. */
  finalFocus?: () => HTMLElement | null | false
}) {
  const [isHeld, setHeld] = useState(false)
  const cancel = useRef<HTMLButtonElement>(null)
  // Keeps the text while the dialog fades.
  const last = useRef(confirmation)
  if (confirmation) last.current = confirmation
  const shown = last.current
  return (
    <AlertDialog.Root
      open={confirmation !== undefined}
      onOpenChange={(next) => !next && !isHeld && onClose()}
    >
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="backdrop layer" />
        <AlertDialog.Popup
          className="dialog layer"
          initialFocus={cancel}
          {...(finalFocus && { finalFocus })}
        >
          {shown && (
            <Body confirmation={shown} onClose={onClose} onHeld={setHeld} cancel={cancel} />
          )}
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}

function Body({
  confirmation: { title, children, verb, isHarmless, act, doubt = DOUBT, onDoubt },
  onClose,
  onHeld,
  cancel,
}: {
  confirmation: Confirmation
  onClose: () => void
  onHeld: (isHeld: boolean) => void
  cancel: React.RefObject<HTMLButtonElement | null>
}) {
  const isArmed = useArmed()
  const sayIfLeft = useSayIfLeft()
  const action = useMutation({
    mutationFn: act,
    onError: (error) => {
      sayIfLeft(verb, error)
      if (isDoubtful(error)) onDoubt?.()
    },
  })
  const isOverdue = useHold(action.isPending, onHeld)
  // With `mutate` rather than the hook's options, this is not called once the dialog was closed: by then
  // another may be open, which it would close.
  const begin = () => action.mutate(undefined, { onSuccess: onClose })
  return (
    <>
      <AlertDialog.Title>{title}</AlertDialog.Title>
      <AlertDialog.Description render={<div className="stack tight" />}>
        {children}
      </AlertDialog.Description>
      {action.error && <Problem error={action.error} />}
      {isDoubtful(action.error) && <p>{doubt}</p>}
      {isOverdue && <Overdue doubt={doubt} />}
      <div className="row end">
        <Button ref={cancel} onClick={onClose} disabled={action.isPending && !isOverdue}>
          {isOverdue ? 'Close' : 'Cancel'}
        </Button>
        <Button
          tone={isHarmless ? 'primary' : 'danger'}
          isBusy={action.isPending}
          disabled={!isArmed}
          onClick={begin}
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
