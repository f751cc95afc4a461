// Deleting everything that a revoked key holds. The name has to be typed, and the work, which may
// take long, shows how far it is.
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Key } from '../../api/contract.ts'
import { keyQuery, keysQuery, purgeKey } from '../../api/keys.ts'
import { refetch } from '../../api/query-client.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Field } from '../../components/field.tsx'
import { count } from '../../components/number.ts'
import { Loading, Problem } from '../../components/states.tsx'
import { say } from '../../components/toast.tsx'
import { Overdue, useHold, useSayIfLeft } from '../../components/unanswered.tsx'
import { isSameName } from './same-name.ts'

type Props = { item: Key; onClose: () => void }

export function PurgeDialog({
  item,
  isOpen,
  onClose,
  finalFocus,
}: Props & { isOpen: boolean; finalFocus: () => HTMLElement | null | false }) {
  const [isHeld, setHeld] = useState(false)
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      isHeld={isHeld}
      finalFocus={finalFocus}
      title="Purge the data of this key?"
    >
      <Purge item={item} onClose={onClose} onHeld={setHeld} />
    </Dialog>
  )
}

function Purge({ item, onClose, onHeld }: Props & { onHeld: (isHeld: boolean) => void }) {
  const details = useQuery(keyQuery(item.id))
  const [typed, setTyped] = useState('')
  const [remaining, setRemaining] = useState<number>()
  const purge = useMutation({
    mutationFn: () => purgeKey(item.id, item.name, setRemaining),
    onError: useSayIfLeft(
      <>
        The data of <bdi>{item.name}</bdi>
      </>,
    ),
    onSuccess: () => {
      say(
        <>
          Purged the data of <bdi>{item.name}</bdi>.
        </>,
      )
    },
    // A purge that broke off has deleted some of it.
    onSettled: () => {
      void refetch(keysQuery)
      void refetch({ queryKey: ['key', item.id] })
    },
  })
  const isOverdue = useHold(purge.isPending, onHeld, remaining)
  if (details.isLoadingError) return <Problem error={details.error} retry={details.refetch} />
  if (!details.data) return <Loading what="what the key holds" lines={2} />
  const { memories, entities, relations } = details.data.data
  const total = memories + entities + relations
  return (
    <>
      <p>
        {count(memories, 'memory', 'memories')}, {count(entities, 'entity', 'entities')} and{' '}
        {count(relations, 'relation')} of <strong>{item.name}</strong> are deleted for good. Nobody
        can bring them back.
      </p>
      <Field
        label={
          <>
            Type the key’s name, <code>{item.name}</code>, to confirm
          </>
        }
      >
        {(control) => (
          <input
            {...control}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            autoComplete="off"
            spellCheck={false}
            readOnly={purge.isPending}
          />
        )}
      </Field>
      {purge.isPending && (
        <div className="stack tight" role="status">
          <progress
            className="progress"
            aria-label="Purged"
            max={Math.max(total, 1)}
            value={total - (remaining ?? total)}
          />
          <span className="quiet">{count(remaining ?? total, 'record')} left</span>
        </div>
      )}
      {purge.error && <Problem error={purge.error} />}
      {isOverdue && <Overdue doubt="It may be deleting the data all the same." />}
      <div className="row end">
        <Button onClick={onClose} disabled={purge.isPending && !isOverdue}>
          {isOverdue ? 'Close' : 'Cancel'}
        </Button>
        <Button
          tone="danger"
          isBusy={purge.isPending}
          disabled={!isSameName(typed, item.name)}
          onClick={() => purge.mutate(undefined, { onSuccess: onClose })}
        >
          {purge.isPending ? 'Purging…' : 'Purge the data'}
        </Button>
      </div>
    </>
  )
}
