// A relation from the panel's entity to one that is searched for. The draft also keeps where it begins, so
// that the dialog is there again after the reader had to sign in. The common types are only suggestions.
import { useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import { createRelation } from '../../../api/graph.ts'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { draftsOf, useDraft } from '../../../components/draft.ts'
import { fieldError, TextField } from '../../../components/field.tsx'
import { Form } from '../../../components/form.tsx'
import { shownName } from '../../../components/shown-name.ts'
import { useSay } from '../../../components/toast.tsx'
import { Unstored } from '../../../components/unanswered.tsx'
import { EntitySearch, type Found } from '../entity-search.tsx'
import { refreshGraph } from '../refresh.ts'

const COMMON = ['WORKS_FOR', 'KNOWS', 'LOCATED_IN', 'PART_OF', 'CREATED', 'RELATED_TO']

type Draft = { from: Found; target?: Found | undefined; type: string }

export const relationDrafts = draftsOf<Draft>()

type Props = {
  keyId: string
  /** Where the relation begins; the dialog is open while this is set. */
  from: Found | undefined
  onClose: () => void
  onMade: (target: string) => void
}

export function CreateRelation({ onClose, ...props }: Props) {
  const close = () => {
    relationDrafts.delete(props.keyId)
    onClose()
  }
  return (
    <Dialog
      isOpen={props.from !== undefined}
      onClose={close}
      isHeld={relationDrafts.has(props.keyId)}
      title="Add a relation"
    >
      {props.from && <RelationForm {...props} from={props.from} onClose={close} />}
    </Dialog>
  )
}

function RelationForm({ keyId, from, onClose, onMade }: Props & { from: Found }) {
  const { draft, write, sendOnce } = useDraft(relationDrafts, keyId, { from, type: '' })
  const { target, type } = draft
  const { say } = useSay()
  const suggestions = useId()
  const creation = useMutation({
    mutationFn: (targetId: string) =>
      sendOnce({ sourceId: from.id, targetId, type }, (relation, idempotencyKey) =>
        createRelation(keyId, relation, idempotencyKey),
      ),
    onSuccess: () => say('Added the relation.'),
    onSettled: () => void refreshGraph(keyId),
  })
  // With `mutate`, this is not called once the dialog was cancelled: by then another relation may be in it.
  const submit = () => {
    if (!target) return
    creation.mutate(target.id, {
      onSuccess: ({ targetId }) => {
        // It was changed since it was sent.
        if (relationDrafts.has(keyId)) return
        onClose()
        onMade(targetId)
      },
    })
  }
  const typeError = fieldError(creation.error, 'type', 'INVALID_RELATION_TYPE')
  return (
    <Form isPending={creation.isPending} onSubmit={submit}>
      <p>
        From <strong>{shownName(from.name)}</strong>
      </p>
      <TextField
        label="Type"
        hint="Letters, digits and underscores, such as WORKS_FOR."
        error={typeError}
        value={type}
        onChange={(next) => write({ type: next })}
        list={suggestions}
        maxLength={64}
        required
      />
      <datalist id={suggestions}>
        {COMMON.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
      <EntitySearch
        keyId={keyId}
        label="To"
        value={target}
        onChoose={(chosen) => write({ target: chosen })}
      />
      {creation.error && !typeError && <Unstored error={creation.error} />}
      <div className="row end">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          type="submit"
          tone="primary"
          isBusy={creation.isPending}
          disabled={target === undefined}
        >
          {creation.isPending ? 'Adding…' : 'Add the relation'}
        </Button>
      </div>
    </Form>
  )
}
