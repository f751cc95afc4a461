// A memory that is being written is a draft of its key, which is still there if the reader has to sign in
// again meanwhile. It is dropped when it is stored or cancelled.
import { useMutation } from '@tanstack/react-query'
import { CONTENT_LENGTH_MAX } from '../../api/contract.ts'
import { createMemory } from '../../api/memories.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { draftsOf, useDraft } from '../../components/draft.ts'
import { Field, fieldError } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { number } from '../../components/number.ts'
import { useSay } from '../../components/toast.tsx'
import { Unstored } from '../../components/unanswered.tsx'
import {
  filterErrors,
  MemoryFields,
  type TypedFields,
  tagsOf,
  typedOf,
  unlessBlank,
} from './memory-filter.tsx'
import { refreshMemories } from './refresh.ts'

type Draft = TypedFields & { content: string }

const EMPTY: Draft = { ...typedOf({}), content: '' }
export const memoryDrafts = draftsOf<Draft>()

type Props = { keyId: string; isOpen: boolean; onClose: () => void }

export function AddMemory({
  onClose,
  finalFocus,
  ...props
}: Props & { finalFocus: () => HTMLElement | null }) {
  const close = () => {
    memoryDrafts.delete(props.keyId)
    onClose()
  }
  return (
    <Dialog
      isOpen={props.isOpen}
      onClose={close}
      isHeld={memoryDrafts.has(props.keyId)}
      finalFocus={finalFocus}
      isWide
      title="Add a memory"
    >
      <MemoryForm {...props} onClose={close} />
    </Dialog>
  )
}

function MemoryForm({ keyId, onClose }: Props) {
  const { draft, write, sendOnce } = useDraft(memoryDrafts, keyId, EMPTY)
  const { content, userId, agentId, tags } = draft
  const length = [...content].length
  const { say } = useSay()
  const creation = useMutation({
    mutationFn: () => {
      const memory = {
        content,
        userId,
        ...(unlessBlank(agentId) && { agentId }),
        ...(tagsOf(tags).length > 0 && { tags: tagsOf(tags) }),
      }
      return sendOnce(memory, (body, idempotencyKey) => createMemory(keyId, body, idempotencyKey))
    },
    onSuccess: () => say('Remembered.'),
    onSettled: () => void refreshMemories(keyId),
  })
  // With `mutate`, this is not called once the dialog was cancelled: by then another memory may be in it.
  const submit = () =>
    creation.mutate(undefined, {
      onSuccess: () => {
        // It was changed since it was sent.
        if (memoryDrafts.has(keyId)) return
        onClose()
      },
    })
  const contentError =
    length > CONTENT_LENGTH_MAX
      ? `At most ${number(CONTENT_LENGTH_MAX)} characters.`
      : fieldError(creation.error, 'content', 'CONTENT_TOO_LONG')
  const refused = filterErrors(creation.error)
  return (
    <Form isPending={creation.isPending} onSubmit={submit}>
      <Field
        label="Text"
        hint={`${number(length)} of ${number(CONTENT_LENGTH_MAX)} characters`}
        error={contentError}
      >
        {(control) => (
          <textarea
            {...control}
            rows={6}
            value={content}
            onChange={(event) => write({ content: event.target.value })}
            required
          />
        )}
      </Field>
      <div className="filter-bar">
        <MemoryFields typed={draft} errors={refused} onType={write} isNew />
      </div>
      {creation.error && !contentError && !refused && <Unstored error={creation.error} />}
      <div className="row end">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          type="submit"
          tone="primary"
          isBusy={creation.isPending}
          disabled={length > CONTENT_LENGTH_MAX}
        >
          {creation.isPending ? 'Remembering…' : 'Remember'}
        </Button>
      </div>
    </Form>
  )
}
