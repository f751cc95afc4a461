// One memory with all that was stored with it, open while the address names it. Since nothing on the page may
// have opened it, closing moves the focus to its link in the list or, after a deletion, to the link beside
// it, which is looked up while the list still has both.
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Memory } from '../../api/contract.ts'
import { deleteMemory, memoryQuery } from '../../api/memories.ts'
import { queryClient, refetch } from '../../api/query-client.ts'
import { Button } from '../../components/button.tsx'
import { Confirm, type Confirmation } from '../../components/confirm.tsx'
import { CopyButton } from '../../components/copy.tsx'
import { excerpt } from '../../components/cut.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Fetched } from '../../components/states.tsx'
import { Time } from '../../components/time.tsx'
import { useSay } from '../../components/toast.tsx'
import { useIsLeft } from '../../components/unanswered.tsx'
import { firstInItem, PAGE_TITLE, useNextFocus } from '../../components/vanishing.ts'
import { refreshMemories } from './refresh.ts'

type Props = { keyId: string; id: string | undefined; onClose: () => void }

export function MemoryDialog({ keyId, id, onClose }: Props) {
  const { moveBeside, finalFocus } = useNextFocus()
  const last = useRef(id)
  if (id !== undefined) last.current = id
  return (
    <Dialog
      isOpen={id !== undefined}
      onClose={onClose}
      finalFocus={() => finalFocus() ?? firstInItem(last.current ?? '', PAGE_TITLE)}
      isWide
      isRead
      title="Memory"
    >
      {id !== undefined && (
        <Details
          keyId={keyId}
          id={id}
          onClose={onClose}
          onDelete={() => moveBeside(id, PAGE_TITLE)}
        />
      )}
    </Dialog>
  )
}

function Details({ keyId, id, onClose, onDelete }: Props & { id: string; onDelete: () => void }) {
  const memory = useQuery(memoryQuery(keyId, id))
  const { say } = useSay()
  const [confirmation, setConfirmation] = useState<Confirmation>()
  // If the answer comes late the reader is at something else.
  const isLeft = useIsLeft()
  const remove = async () => {
    await deleteMemory(keyId, id)
    if (!isLeft.current) {
      onDelete()
      onClose()
    }
    say('Deleted the memory.')
    await refreshMemories(keyId)
    // Not sooner: the dialog, while it closes, would fetch it once more.
    queryClient.removeQueries(memoryQuery(keyId, id))
  }
  const askToDelete = (item: Memory) =>
    setConfirmation({
      title: 'Delete this memory?',
      verb: 'Delete the memory',
      act: remove,
      onDoubt: () => Promise.all([refreshMemories(keyId), refetch(memoryQuery(keyId, id))]),
      children: (
        <>
          <p className="memory-full" dir="auto">
            {excerpt(item.content, 200)}
          </p>
          <p>It is deleted for good. Nobody can bring it back.</p>
        </>
      ),
    })
  return (
    <>
      <Fetched query={memory} what="the memory" lines={5}>
        {(item) => <Facts memory={item} />}
      </Fetched>
      <div className="row apart">
        <Button
          tone="bare"
          className="delete"
          disabled={!memory.data}
          onClick={() => memory.data && askToDelete(memory.data)}
        >
          Delete…
        </Button>
        <Button onClick={onClose}>Close</Button>
      </div>
      <Confirm confirmation={confirmation} onClose={() => setConfirmation(undefined)} />
    </>
  )
}

const Facts = ({ memory }: { memory: Memory }) => (
  <>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a text that scrolls must be reachable by keyboard */}
    <section className="memory-full" tabIndex={0} aria-label="Text" dir="auto">
      {memory.content}
    </section>
    <dl className="facts">
      <dt>User</dt>
      <dd>
        <bdi>{memory.userId}</bdi>
      </dd>
      {memory.agentId !== undefined && (
        <>
          <dt>Agent</dt>
          <dd>
            <bdi>{memory.agentId}</bdi>
          </dd>
        </>
      )}
      {memory.tags.length > 0 && (
        <>
          <dt>Tags</dt>
          <dd className="row">
            {memory.tags.map((tag) => (
              <span key={tag} className="badge tag">
                {tag}
              </span>
            ))}
          </dd>
        </>
      )}
      <dt>Created</dt>
      <dd>
        <Time at={memory.createdAt} />
      </dd>
      <dt>Id</dt>
      <dd className="row">
        <code>{memory.id}</code>
        <CopyButton text={memory.id} what="the id" />
      </dd>
      {memory.metadata !== undefined && (
        <>
          <dt>Metadata</dt>
          <dd>
            <pre className="code-line">{JSON.stringify(memory.metadata, null, 2)}</pre>
          </dd>
        </>
      )}
    </dl>
  </>
)
