// Where the account is signed in. Every session but that of this page can be ended here; the focus then goes
// to the heading, not to the button that would end the next session.
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { endOtherSessions, endSession, sessionsQuery } from '../../api/accounts.ts'
import { isDoubtful } from '../../api/client.ts'
import { SESSION_IDLE_MINUTES, type Session } from '../../api/contract.ts'
import { refetch } from '../../api/query-client.ts'
import { Button } from '../../components/button.tsx'
import { Confirm, type Confirmation } from '../../components/confirm.tsx'
import { Fetched, Problem } from '../../components/states.tsx'
import { Time } from '../../components/time.tsx'
import { useSay } from '../../components/toast.tsx'
import { useSayIfLeft } from '../../components/unanswered.tsx'
import { moveFocusOutOf } from '../../components/vanishing.ts'
import { browserOf } from './browser-name.ts'

const HEADING = 'sessions'

export function SessionList() {
  const sessions = useQuery(sessionsQuery)
  const [confirmation, setConfirmation] = useState<Confirmation>()
  const others = useRef<HTMLButtonElement>(null)
  const { say } = useSay()
  const sayIfLeft = useSayIfLeft()
  const end = useMutation({
    mutationFn: endSession,
    onSuccess: () => say('Ended the session.'),
    onError: (error) => sayIfLeft('The end of the session', error),
    onSettled: async (_, error, id) => {
      // Without an answer it may have ended all the same.
      if (error && !isDoubtful(error)) return
      moveFocusOutOf(id, HEADING)
      await refetch(sessionsQuery)
    },
  })
  const endOthers = () =>
    setConfirmation({
      title: 'End all other sessions?',
      verb: 'End the others',
      children: <p>Everybody else who is signed in to this account has to sign in again.</p>,
      act: async () => {
        await endOtherSessions()
        await refetch(sessionsQuery)
        say('Ended the other sessions.')
      },
      onDoubt: () => refetch(sessionsQuery),
    })
  return (
    <section className="card stack" aria-labelledby={HEADING}>
      <div className="row apart">
        <div>
          <h2 id={HEADING} tabIndex={-1}>
            Sessions
          </h2>
          <p className="quiet">A session ends after {SESSION_IDLE_MINUTES} minutes without use.</p>
        </div>
        {sessions.data && sessions.data.items.length > 1 && (
          <Button ref={others} size="small" onClick={endOthers}>
            End all others…
          </Button>
        )}
      </div>
      <Fetched query={sessions} what="the sessions" lines={2}>
        {({ items }) => (
          <ul className="stack">
            {items.map((session) => (
              <li key={session.id} id={session.id} className="row apart">
                <SessionFacts session={session} />
                {session.isCurrent ? (
                  <span className="badge good">this one</span>
                ) : (
                  <Button
                    size="small"
                    isBusy={end.isPending && end.variables === session.id}
                    onClick={() => end.mutate(session.id)}
                  >
                    End
                    <span className="visually-hidden"> the session of {session.address}</span>
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Fetched>
      {end.error && <Problem error={end.error} />}
      <Confirm
        confirmation={confirmation}
        onClose={() => setConfirmation(undefined)}
        finalFocus={() => others.current ?? document.getElementById(HEADING)}
      />
    </section>
  )
}

const SessionFacts = ({
  session: { userAgent, address, lastSeenAt, createdAt, endsAt },
}: {
  session: Session
}) => (
  <div>
    <p title={userAgent}>
      {browserOf(userAgent)} <span className="quiet">at {address}</span>
    </p>
    <p className="quiet small">
      Seen <Time at={lastSeenAt} as="ago" />, signed in <Time at={createdAt} as="ago" />, ends by{' '}
      <Time at={endsAt} />
    </p>
  </div>
)
