// A key needs a name and, where the account has a choice, a plan. The key itself comes with this
// answer alone and is handed to the page, which shows it: until the answer has come the dialog stays, for
// what was asked for is no longer to be cancelled.
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { sessionQuery } from '../../api/accounts.ts'
import type { NewKey, Plan } from '../../api/contract.ts'
import { createKey, keysQuery } from '../../api/keys.ts'
import { queryClient } from '../../api/query-client.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Field, fieldError } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { Problem } from '../../components/states.tsx'
import { PLAN_NAMES, quotaText } from './plan.ts'

type Props = { isOpen: boolean; onClose: () => void; onMade: (made: NewKey) => void }

export function CreateKey({ isOpen, onClose, onMade }: Props) {
  const [isBusy, setBusy] = useState(false)
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      isHeld={isBusy}
      title="Create a key"
      description="It opens a new, empty space for memories and a graph."
    >
      <KeyForm onClose={onClose} onMade={onMade} onBusy={setBusy} />
    </Dialog>
  )
}

function KeyForm({
  onClose,
  onMade,
  onBusy,
}: Omit<Props, 'isOpen'> & { onBusy: (isBusy: boolean) => void }) {
  const { data } = useQuery({ ...sessionQuery, enabled: false })
  const plans = data?.account.plans ?? []
  const [name, setName] = useState('')
  const [plan, setPlan] = useState<Plan>(plans[0] ?? 'free')
  const creation = useMutation({
    mutationFn: createKey,
    onMutate: () => onBusy(true),
    onSuccess: onMade,
    onSettled: () => {
      onBusy(false)
      // Also when no answer came: the key may be there all the same.
      return queryClient.invalidateQueries(keysQuery)
    },
  })
  const nameError = fieldError(creation.error, 'name')
  return (
    <Form onSubmit={() => creation.mutate({ name, plan })}>
      <Field label="Name" hint="Such as “production agent”: what it is used for." error={nameError}>
        {(control) => (
          <input
            {...control}
            value={name}
            onChange={(event) => setName(event.target.value)}
            autoComplete="off"
            required
          />
        )}
      </Field>
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
      <div className="row end">
        <Button onClick={onClose} disabled={creation.isPending}>
          Cancel
        </Button>
        <Button type="submit" tone="primary" isBusy={creation.isPending}>
          {creation.isPending ? 'Creating…' : 'Create'}
        </Button>
      </div>
    </Form>
  )
}
