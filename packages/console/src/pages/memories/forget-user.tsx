// Deletes all memories of the user whom the filter names, whatever its other fields say. For another user it
// is another component, by its key: else "back" would make a question about one of them one about another.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { forgetUser, memoriesQuery } from '../../api/memories.ts'
import { queryClient } from '../../api/query-client.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { count } from '../../components/number.ts'
import { shownName } from '../../components/shown-name.ts'
import { Loading, Problem } from '../../components/states.tsx'
import { useSay } from '../../components/toast.tsx'
import { TypedDeletion } from '../../components/typed-deletion.tsx'
import { focusOn, PAGE_TITLE } from '../../components/vanishing.ts'
import { refreshMemories } from './refresh.ts'

type Props = { keyId: string; userId: string }

export function ForgetUser({ isOffered, ...user }: Props & { isOffered: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const [isHeld, setHeld] = useState(false)
  const isForgotten = useRef(false)
  const close = () => setOpen(false)
  // "Back" takes the dialog away with its user, and the focus that was in it.
  const isAsked = useRef(isOpen)
  isAsked.current = isOpen
  useEffect(
    () => () => {
      if (isAsked.current) focusOn(PAGE_TITLE)
    },
    [],
  )
  return (
    <>
      {isOffered && (
        <div className="row end">
          <Button tone="bare" className="delete" onClick={() => setOpen(true)}>
            Forget this user…
          </Button>
        </div>
      )}
      <Dialog
        isOpen={isOpen}
        onClose={close}
        isHeld={isHeld}
        // The button that opened it vanishes with the user's last memory.
        finalFocus={() => (isForgotten.current ? document.getElementById(PAGE_TITLE) : null)}
        title="Forget this user?"
      >
        <Question
          {...user}
          onClose={close}
          onHeld={setHeld}
          onForgotten={() => {
            isForgotten.current = true
          }}
        />
      </Dialog>
    </>
  )
}

function Question({
  keyId,
  userId,
  onClose,
  onHeld,
  onForgotten,
}: Props & {
  onClose: () => void
  onHeld: (isHeld: boolean) => void
  onForgotten: () => void
}) {
  const memories = useQuery(memoriesQuery(keyId, { userId }))
  const { say } = useSay()
  const forget = async (onProgress: (remaining: number) => void) => {
    const deleted = await forgetUser(keyId, userId, onProgress)
    onForgotten()
    say(
      <>
        Forgot <bdi>{shownName(userId)}</bdi>: {count(deleted, 'memory', 'memories')} deleted.
      </>,
    )
  }
  if (memories.isLoadingError) return <Problem error={memories.error} retry={memories.refetch} />
  if (!memories.data) return <Loading what="what is remembered" lines={2} />
  const { total } = memories.data.pagination
  return (
    <TypedDeletion
      name={userId}
      nameOfName="the user’s id"
      subject={
        <>
          Forgetting <bdi>{shownName(userId)}</bdi>
        </>
      }
      total={total}
      units={['memory', 'memories']}
      verb="Forget the user"
      doing="Forgetting…"
      done="Forgotten"
      act={forget}
      onSettled={() => {
        queryClient.removeQueries({ queryKey: ['key', keyId, 'memory'] })
        void refreshMemories(keyId)
      }}
      onClose={onClose}
      onHeld={onHeld}
    >
      <p>
        All that is remembered of <strong>{shownName(userId)}</strong> with this key,{' '}
        {count(total, 'memory', 'memories')}, is deleted for good. Nobody can bring it back.
      </p>
      <p>Entities and relations belong to no user, and stay.</p>
    </TypedDeletion>
  )
}
