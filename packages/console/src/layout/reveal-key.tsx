// Shows a new key, once, on whatever page the reader is when its answer comes. Only "I have saved it" closes
// it: not Escape, nor a press beside it, nor "back"; and the browser asks before the page is closed or
// reloaded. Nor can the page be left while a key is about to come.
import { useBlocker, useMatch, useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { sessionQuery } from '../api/accounts.ts'
import {
  hasUnsavedKey,
  isKeyExpected,
  isKeyOnItsWay,
  markSaved,
  type UnsavedKey,
  useUnsavedKey,
} from '../api/new-keys.ts'
import { refetch } from '../api/query-client.ts'
import { Button } from '../components/button.tsx'
import { CopyButton } from '../components/copy.tsx'
import { Dialog } from '../components/dialog.tsx'
import { shownName } from '../components/shown-name.ts'
import { isBoundForTitle } from '../components/vanishing.ts'

export function RevealKey({ accountId }: { accountId: string | undefined }) {
  const made = useUnsavedKey(accountId)
  const navigate = useNavigate()
  const shownKey = useMatch({
    from: '/shell/keys/$key',
    shouldThrow: false,
    select: ({ params }) => params.key,
  })
  useBlocker({
    shouldBlockFn: () => hasUnsavedKey(accountId) || isKeyExpected(),
    enableBeforeUnload: () => hasUnsavedKey(accountId) || isKeyOnItsWay(),
  })
  const close = () => {
    if (!made) return
    markSaved(made)
    // The pages of the key that it replaced have nothing to show any more.
    if (made.replaced !== undefined && made.replaced === shownKey) {
      void navigate({ to: '/keys/$key/usage', params: { key: made.key.id } })
    }
    // If the session has ended meanwhile this leads to the sign-in page, which was blocked until now.
    void refetch(sessionQuery)
  }
  const first = useRef<HTMLDivElement>(null)
  return (
    <Dialog
      isOpen={made !== undefined}
      onClose={close}
      isHeld
      initialFocus={first}
      finalFocus={() => !isBoundForTitle() && document.getElementById('main')}
      title="Save this key now"
      description="It is shown this once. The server keeps only a fingerprint of it, so a lost key cannot be brought back."
    >
      {made && <Secret made={made} onClose={close} first={first} />}
    </Dialog>
  )
}

function Secret({
  made: { key, secret },
  onClose,
  first,
}: {
  made: UnsavedKey
  onClose: () => void
  first: React.RefObject<HTMLDivElement | null>
}) {
  const navigate = useNavigate()
  return (
    <>
      <div className="secret" ref={first} tabIndex={-1}>
        <div className="row apart">
          <strong>{shownName(key.name)}</strong>
          <CopyButton text={secret} what={`the key ${shownName(key.name)}`} tone="primary" />
        </div>
        <code data-testid="secret">{secret}</code>
      </div>
      <p className="quiet small">
        Keep it out of version control: an environment variable or a store for secrets is its place.
      </p>
      <div className="row end">
        <Button
          onClick={() => {
            onClose()
            void navigate({ to: '/keys/$key/start', params: { key: key.id } })
          }}
        >
          I have saved it, show me how
        </Button>
        <Button tone="primary" onClick={onClose}>
          I have saved it
        </Button>
      </div>
    </>
  )
}
