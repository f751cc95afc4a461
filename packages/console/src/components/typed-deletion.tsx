// A deletion of many records at once. The reader has to type the name of what it deletes, and the work, which
// may take long, shows its progress.
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { TextField } from './field.tsx'
import { count } from './number.ts'
import { isSameName, shownName } from './shown-name.ts'
import { Problem } from './states.tsx'
import { Overdue, useHold, useSayIfLeft } from './unanswered.tsx'

type Props = {
  /** The name of what is deleted, to be typed. */
  name: string
  /** What kind of name that is, such as "the key’s name". */
  nameOfName: string
  subject: ReactNode
  /** How many records there are, and the words for one and for several. */
  total: number
  units: readonly [one: string, many: string]
  verb: string
  /** The button's label while the deletion runs. */
  doing: string
  /** The label of the progress bar. */
  done: string
  act: (onProgress: (remaining: number) => void) => Promise<void>
  /** Also called when the deletion failed half-way. */
  onSettled: () => void
  onClose: () => void
  onHeld: (isHeld: boolean) => void
  children: ReactNode
}

export function TypedDeletion(props: Props) {
  const { name, total, units, verb, doing, act, onClose } = props
  const [typed, setTyped] = useState('')
  // The total at the start: `total` itself falls when it is refetched meanwhile.
  const [progress, setProgress] = useState({ total, remaining: total })
  const sayIfLeft = useSayIfLeft()
  const deletion = useMutation({
    onMutate: () => setProgress({ total, remaining: total }),
    mutationFn: () => act((remaining) => setProgress({ total, remaining })),
    onError: (error) => sayIfLeft(props.subject, error),
    onSettled: props.onSettled,
  })
  const isOverdue = useHold(deletion.isPending, props.onHeld, progress.remaining)
  return (
    <>
      {props.children}
      <TextField
        label={
          <>
            Type {props.nameOfName}, <code>{shownName(name)}</code>, to confirm
          </>
        }
        value={typed}
        onChange={setTyped}
        readOnly={deletion.isPending}
      />
      {deletion.isPending && (
        <div className="stack tight" role="status">
          <progress
            className="progress"
            aria-label={props.done}
            max={Math.max(progress.total, 1)}
            value={progress.total - progress.remaining}
          />
          <span className="quiet">{count(progress.remaining, ...units)} left</span>
        </div>
      )}
      {deletion.error && <Problem error={deletion.error} />}
      {isOverdue && <Overdue doubt="It may be deleting all the same." />}
      <div className="row end">
        <Button onClick={onClose} disabled={deletion.isPending && !isOverdue}>
          {isOverdue ? 'Close' : 'Cancel'}
        </Button>
        <Button
          tone="danger"
          isBusy={deletion.isPending}
          disabled={!isSameName(typed, name)}
          onClick={() => deletion.mutate(undefined, { onSuccess: onClose })}
        >
          {deletion.isPending ? doing : verb}
        </Button>
      </div>
    </>
  )
}
