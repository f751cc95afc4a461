// Deleting everything that a revoked key holds.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Key } from '../../api/contract.ts'
import { keyQuery, keysQuery, purgeKey } from '../../api/keys.ts'
import { refetch } from '../../api/query-client.ts'
import { Dialog } from '../../components/dialog.tsx'
import { count } from '../../components/number.ts'
import { shownName } from '../../components/shown-name.ts'
import { Loading, Problem } from '../../components/states.tsx'
import { useSay } from '../../components/toast.tsx'
import { TypedDeletion } from '../../components/typed-deletion.tsx'

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
  const { say } = useSay()
  const purge = async (onProgress: (remaining: number) => void) => {
    await purgeKey(item.id, item.name, onProgress)
    say(
      <>
        Purged the data of <bdi>{shownName(item.name)}</bdi>.
      </>,
    )
  }
  if (details.isLoadingError) return <Problem error={details.error} retry={details.refetch} />
  if (!details.data) return <Loading what="what the key holds" lines={2} />
  const { memories, entities, relations } = details.data.data
  return (
    <TypedDeletion
      name={item.name}
      nameOfName="the key’s name"
      subject={
        <>
          The data of <bdi>{shownName(item.name)}</bdi>
        </>
      }
      total={memories + entities + relations}
      units={['record', 'records']}
      verb="Purge the data"
      doing="Purging…"
      done="Purged"
      act={purge}
      onSettled={() => {
        void refetch(keysQuery)
        void refetch({ queryKey: ['key', item.id] })
      }}
      onClose={onClose}
      onHeld={onHeld}
    >
      <p>
        {count(memories, 'memory', 'memories')}, {count(entities, 'entity', 'entities')} and{' '}
        {count(relations, 'relation')} of <strong>{shownName(item.name)}</strong> are deleted for
        good. Nobody can bring them back.
      </p>
    </TypedDeletion>
  )
}
