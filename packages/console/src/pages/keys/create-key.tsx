// A key needs a name and, where the account has a choice, a plan. Once asked for it cannot be cancelled: the
// dialog stays until the answer has come or is overdue. However late it comes, layout/reveal-key.tsx shows
// the key.
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { sessionQuery } from '../../api/accounts.ts'
import { isDoubtful } from '../../api/client.ts'
import type { Plan } from '../../api/contract.ts'
import { createKey, keysQuery } from '../../api/keys.ts'
import { refetch } from '../../api/query-client.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { fieldError, TextField } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { shownName } from '../../components/shown-name.ts'
import { Problem } from '../../components/states.tsx'
import { Overdue, useHold, useSayIfLeft } from '../../components/unanswered.tsx'
import { PLAN_NAMES, quotaText } from './plan.ts'

const MAY_BE_MADE =
  'The key may have been made all the same. If the list has it and you never saw it, rotate it to get one that you can copy.'

type Props = { isOpen: boolean; onClose: () => void }

export function CreateKey({ isOpen, onClose }: Props) {
  const [isHeld, setHeld] = useState(false)
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      isHeld={isHeld}
      title="Create a key"
      description="It opens a new, empty space for memories and a graph."
    >
      <KeyForm onClose={onClose} onHeld={setHeld} />
    </Dialog>
  )
}

function KeyForm({
  onClose,
  onHeld,
}: Omit<Props, 'isOpen'> & { onHeld: (isHeld: boolean) => void }) {
  const { data } = useQuery({ ...sessionQuery, enabled: false })
  const plans = data?.account.plans ?? []
  const [name, setName] = useState('')
  const [plan, setPlan] = useState<Plan>(plans[0] ?? 'free')
  const sayIfLeft = useSayIfLeft()
  const creation = useMutation({
    mutationFn: createKey,
    onError: (error, sent) =>
      sayIfLeft(
        <>
          The key <bdi>{shownName(sent.name)}</bdi>
        </>,
        error,
      ),
    // Also when no answer came: the key may be there all the same.
    onSettled: () => void refetch(keysQuery),
  })
  const isOverdue = useHold(creation.isPending, onHeld)
  const leave = () => {
    if (isOverdue) void refetch(keysQuery)
    onClose()
  }
  const nameError = fieldError(creation.error, 'name')
  return (
    <Form onSubmit={() => creation.mutate({ name, plan }, { onSuccess: onClose })}>
      <TextField
        label="Name"
        hint="Such as “production agent”: what it is used for."
        error={nameError}
        value={name}
        onChange={setName}
        required
      />
      {plans.length > 1 && (
        <fieldset className="stack tight">
          <legend>Plan</legend>
          <div className="plans">
            {plans.map((each) => (
              <label key={each} className="choice">
                <input
                  type="radio"
                  name="plan"
                  checked={plan === each}
                  onChange={() => setPlan(each)}
                />
                <span>
                  {PLAN_NAMES[each]} <span className="quiet">· {quotaText(each)}</span>
                </span>
              </label>
            ))}
          </div>
        </fieldset>
      )}
      {creation.error && !nameError && <Problem error={creation.error} />}
      {isDoubtful(creation.error) && <p>{MAY_BE_MADE}</p>}
      {isOverdue && <Overdue doubt={MAY_BE_MADE} />}
      <div className="row end">
        <Button onClick={leave} disabled={creation.isPending && !isOverdue}>
          {isOverdue ? 'Close' : 'Cancel'}
        </Button>
        <Button type="submit" tone="primary" isBusy={creation.isPending}>
          {creation.isPending ? 'Creating…' : 'Create'}
        </Button>
      </div>
    </Form>
  )
}
