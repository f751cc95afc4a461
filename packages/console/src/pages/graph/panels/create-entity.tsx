// An entity that is being written is a draft of its key, kept until it is added or cancelled. Once it is
// added the whole graph is fetched again.
import { useMutation } from '@tanstack/react-query'
import {
  ENTITY_TYPE_NAMES,
  ENTITY_TYPES,
  type Entity,
  type EntityType,
} from '../../../api/contract.ts'
import { createEntity } from '../../../api/graph.ts'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { draftsOf, useDraft } from '../../../components/draft.ts'
import { Field, fieldError, TextField } from '../../../components/field.tsx'
import { Form } from '../../../components/form.tsx'
import { shownName } from '../../../components/shown-name.ts'
import { useSay } from '../../../components/toast.tsx'
import { Unstored } from '../../../components/unanswered.tsx'
import { refreshGraph } from '../refresh.ts'

type Draft = { name: string; type: EntityType; description: string }

const EMPTY: Draft = { name: '', type: 'PERSON', description: '' }
export const entityDrafts = draftsOf<Draft>()

type Props = {
  keyId: string
  isOpen: boolean
  onClose: () => void
  onMade: (entity: Entity) => void
}

export function CreateEntity({ onClose, ...props }: Props) {
  const close = () => {
    entityDrafts.delete(props.keyId)
    onClose()
  }
  return (
    <Dialog
      isOpen={props.isOpen}
      onClose={close}
      isHeld={entityDrafts.has(props.keyId)}
      title="Add an entity"
    >
      <EntityForm {...props} onClose={close} />
    </Dialog>
  )
}

function EntityForm({ keyId, onClose, onMade }: Props) {
  const { draft, write, sendOnce } = useDraft(entityDrafts, keyId, EMPTY)
  const { name, type, description } = draft
  const { say } = useSay()
  const creation = useMutation({
    mutationFn: () =>
      sendOnce(
        { name, type, ...(description.trim() && { description }) },
        (entity, idempotencyKey) => createEntity(keyId, entity, idempotencyKey),
      ),
    onSuccess: (entity) => {
      say(
        <>
          Added <bdi>{shownName(entity.name)}</bdi>.
        </>,
      )
    },
    onSettled: () => void refreshGraph(keyId),
  })
  // With `mutate`, this is not called once the dialog was cancelled: by then another entity may be in it.
  const submit = () =>
    creation.mutate(undefined, {
      onSuccess: (entity) => {
        // It was changed since it was sent.
        if (entityDrafts.has(keyId)) return
        onClose()
        onMade(entity)
      },
    })
  const nameError = fieldError(creation.error, 'name', 'NAME_REQUIRED')
  const descriptionError = fieldError(creation.error, 'description')
  return (
    <Form isPending={creation.isPending} onSubmit={submit}>
      <TextField
        label="Name"
        error={nameError}
        value={name}
        onChange={(next) => write({ name: next })}
        required
      />
      <Field label="Type">
        {(control) => (
          <select
            {...control}
            value={type}
            onChange={(event) =>
              write({ type: ENTITY_TYPES.find((each) => each === event.target.value) ?? 'OTHER' })
            }
          >
            {ENTITY_TYPES.map((each) => (
              <option key={each} value={each}>
                {ENTITY_TYPE_NAMES[each]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label="Description (optional)" error={descriptionError}>
        {(control) => (
          <textarea
            {...control}
            rows={3}
            value={description}
            onChange={(event) => write({ description: event.target.value })}
          />
        )}
      </Field>
      {creation.error && !nameError && !descriptionError && <Unstored error={creation.error} />}
      <div className="row end">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" tone="primary" isBusy={creation.isPending}>
          {creation.isPending ? 'Adding…' : 'Add the entity'}
        </Button>
      </div>
    </Form>
  )
}
