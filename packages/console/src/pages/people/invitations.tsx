// Links by which others get an account, with the plans that it may choose. A link is shown once, when it is
// made: later it can be withdrawn, but not shown again.
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { invitationsQuery, invite, sessionQuery, withdrawInvitation } from '../../api/accounts.ts'
import { isApiError, isDoubtful } from '../../api/client.ts'
import type { IssuedLink, Plan } from '../../api/contract.ts'
import { refetch } from '../../api/query-client.ts'
import { Button } from '../../components/button.tsx'
import { EmailField, fieldError } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { Fetched, Problem } from '../../components/states.tsx'
import { Time } from '../../components/time.tsx'
import { useSay } from '../../components/toast.tsx'
import { useSayIfLeft } from '../../components/unanswered.tsx'
import { moveFocusOutOf } from '../../components/vanishing.ts'
import { PLAN_NAMES, planList } from '../keys/plan.ts'

const HEADING = 'invitations'
/** Preset for each invitation anew, whatever the last one had. */
const FIRST_PLANS: readonly Plan[] = ['free']

export const Invitations = ({ onIssued }: { onIssued: (issued: IssuedLink) => void }) => (
  <section className="card stack" aria-labelledby={HEADING}>
    <div>
      <h2 id={HEADING} tabIndex={-1}>
        Invite somebody
      </h2>
      <p className="quiet">You get a link that works once. Send it in whatever way you trust.</p>
    </div>
    <InviteForm onIssued={onIssued} />
    <OpenInvitations />
  </section>
)

function InviteForm({ onIssued }: { onIssued: (issued: IssuedLink) => void }) {
  const own = useQuery(sessionQuery).data?.account.plans ?? []
  const [email, setEmail] = useState('')
  const [plans, setPlans] = useState(FIRST_PLANS)
  const sayIfLeft = useSayIfLeft()
  const invitation = useMutation({
    mutationFn: invite,
    onSuccess: (issued, sent) => {
      onIssued(issued)
      // The next one is being written.
      if (email !== sent.email) return
      setEmail('')
      setPlans(FIRST_PLANS)
    },
    onError: (error, sent) =>
      sayIfLeft(
        <>
          The invitation of <bdi>{sent.email}</bdi>
        </>,
        error,
      ),
    // Also when no answer came: the invitation may be open all the same.
    onSettled: () => refetch(invitationsQuery),
  })
  const emailError = fieldError(invitation.error, 'email', 'EMAIL_TAKEN')
  return (
    <Form
      isPending={invitation.isPending}
      onSubmit={() => invitation.mutate({ email, plans: [...plans] })}
    >
      <EmailField autoComplete="off" value={email} onChange={setEmail} error={emailError} />
      <fieldset className="row">
        <legend>Plans that the account may choose</legend>
        {own.map((plan) => (
          <label key={plan} className="choice">
            <input
              type="checkbox"
              checked={plans.includes(plan)}
              onChange={() =>
                setPlans(
                  plans.includes(plan) ? plans.filter((each) => each !== plan) : [...plans, plan],
                )
              }
            />
            {PLAN_NAMES[plan]}
          </label>
        ))}
      </fieldset>
      {invitation.error && !emailError && <Problem error={invitation.error} />}
      <div className="row end">
        <Button
          type="submit"
          tone="primary"
          isBusy={invitation.isPending}
          disabled={plans.length === 0}
        >
          {invitation.isPending ? 'Making the link…' : 'Make an invitation link'}
        </Button>
      </div>
    </Form>
  )
}

function OpenInvitations() {
  const invitations = useQuery(invitationsQuery)
  const { say } = useSay()
  const sayIfLeft = useSayIfLeft()
  const withdrawal = useMutation({
    mutationFn: withdrawInvitation,
    onSuccess: () => say('Withdrew the invitation.'),
    onError: (error) => sayIfLeft('The withdrawal', error),
    onSettled: async (_, error, id) => {
      // Used or withdrawn meanwhile, it leaves the list too; without an answer it may be withdrawn.
      if (error && !isApiError(error, 'INVITATION_NOT_FOUND') && !isDoubtful(error)) return
      moveFocusOutOf(id, HEADING)
      await refetch(invitationsQuery)
    },
  })
  return (
    <>
      <Fetched query={invitations} what="the open invitations" lines={2}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="quiet small">No invitation is open.</p>
          ) : (
            <>
              <h3>Open invitations</h3>
              <ul className="stack">
                {items.map(({ id, email, plans, expiresAt }) => (
                  <li key={id} id={id} className="row apart">
                    <div>
                      <p>{email}</p>
                      <p className="quiet small">
                        {planList(plans)}; until <Time at={expiresAt} />
                      </p>
                    </div>
                    <Button
                      size="small"
                      isBusy={withdrawal.isPending && withdrawal.variables === id}
                      onClick={() => withdrawal.mutate(id)}
                    >
                      Withdraw
                      <span className="visually-hidden"> the invitation of {email}</span>
                    </Button>
                  </li>
                ))}
              </ul>
            </>
          )
        }
      </Fetched>
      {withdrawal.error && <Problem error={withdrawal.error} />}
    </>
  )
}
