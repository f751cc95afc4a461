import { useQuery } from '@tanstack/react-query'
import { sessionQuery } from '../../api/accounts.ts'
import { Time } from '../../components/time.tsx'
import { Page } from '../../layout/page.tsx'
import { PasswordForm } from './password-form.tsx'
import { SessionList } from './session-list.tsx'

export function AccountPage() {
  const account = useQuery(sessionQuery).data?.account
  return (
    <Page
      title="Account"
      lead={
        account && (
          <>
            {account.email}, {account.role}, since <Time at={account.createdAt} as="date" />
          </>
        )
      }
    >
      <div className="stack loose narrow">
        <SessionList />
        <PasswordForm email={account?.email ?? ''} />
      </div>
    </Page>
  )
}
