// Accounts, invitations, and links for those who lost their password. The server decides who may see them; to
// others the page shows its refusal.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { accountsQuery, issueResetLink, sessionQuery } from '../../api/accounts.ts'
import { isApiError } from '../../api/client.ts'
import type { IssuedLink } from '../../api/contract.ts'
import { Button } from '../../components/button.tsx'
import { Confirm, type Confirmation } from '../../components/confirm.tsx'
import { Empty, Fetched } from '../../components/states.tsx'
import { Time } from '../../components/time.tsx'
import { useSay } from '../../components/toast.tsx'
import { useIsLeft } from '../../components/unanswered.tsx'
import { Page } from '../../layout/page.tsx'
import { planList } from '../keys/plan.ts'
import { Invitations } from './invitations.tsx'
import { IssuedLinkDialog } from './issued-link.tsx'

export function PeoplePage() {
  const accounts = useQuery(accountsQuery)
  // An answer may come late, while the link of another one is shown.
  const [issued, setIssued] = useState<readonly IssuedLink[]>([])
  const isLeft = useIsLeft()
  const { sayError } = useSay()
  const show = (link: IssuedLink) => {
    if (!isLeft.current) return setIssued((before) => [...before, link])
    sayError(
      <>
        The link for <bdi>{link.email}</bdi> came when its page was left: make another one.
      </>,
    )
  }
  const close = () => setIssued(([_, ...others]) => others)
  if (isApiError(accounts.error, 'NOT_ADMINISTRATOR')) {
    return (
      <Page title="People">
        <div className="card">
          <Empty icon="people" title="For administrators">
            <p>{accounts.error.message}</p>
          </Empty>
        </div>
      </Page>
    )
  }
  return (
    <Page
      title="People"
      lead="Every account, an administrator’s too, sees only its own keys and their data."
    >
      <div className="stack loose narrow">
        <Invitations onIssued={show} />
        <Accounts onIssued={show} />
      </div>
      <IssuedLinkDialog issued={issued[0]} onClose={close} />
    </Page>
  )
}

function Accounts({ onIssued }: { onIssued: (issued: IssuedLink) => void }) {
  const accounts = useQuery(accountsQuery)
  const own = useQuery(sessionQuery).data?.account.id
  const [confirmation, setConfirmation] = useState<Confirmation>()
  const ask = (id: string, email: string) =>
    setConfirmation({
      title: 'Make a reset link?',
      verb: 'Make the link',
      isHarmless: true,
      children: (
        <p>
          Whoever opens it chooses a new password for <strong>{email}</strong>. Give it to nobody
          else.
        </p>
      ),
      act: async () => onIssued(await issueResetLink(id)),
    })
  return (
    <section className="card stack" aria-labelledby="accounts">
      <h2 id="accounts">Accounts</h2>
      <Fetched query={accounts} what="the accounts" lines={3}>
        {({ items }) => (
          <ul className="stack">
            {items.map(({ id, email, role, plans, createdAt }) => (
              <li key={id} className="row apart">
                <div>
                  <p>
                    {email} {role === 'administrator' && <span className="badge">{role}</span>}
                  </p>
                  <p className="quiet small">
                    {planList(plans)}; since <Time at={createdAt} as="date" />
                  </p>
                </div>
                {id !== own && (
                  <Button size="small" onClick={() => ask(id, email)}>
                    Reset link…
                    <span className="visually-hidden"> for {email}</span>
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Fetched>
      <Confirm confirmation={confirmation} onClose={() => setConfirmation(undefined)} />
    </section>
  )
}
