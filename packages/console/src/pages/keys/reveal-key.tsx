// The one time that a key is shown. It closes by "I have saved it" alone: no Escape, no press beside
// it, no way back; and the browser asks before the page is closed or loaded again. The page is not left
// either while a key is on its way to it.
import { useBlocker, useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { sessionQuery } from '../../api/accounts.ts'
import type { NewKey } from '../../api/contract.ts'
import { isKeyAwaited } from '../../api/keys.ts'
import { queryClient } from '../../api/query-client.ts'
import { Button } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { isBoundForTitle } from '../../components/vanishing.ts'

export function RevealKey({ made, onClose }: { made: NewKey | undefined; onClose: () => void }) {
  const isUnsaved = useRef(false)
  isUnsaved.current = made !== undefined
  useBlocker({
    shouldBlockFn: () => isUnsaved.current || isKeyAwaited(),
    enableBeforeUnload: () => isUnsaved.current || isKeyAwaited(),
  })
  const close = () => {
    isUnsaved.current = false
    onClose()
    // It may have ended meanwhile: the way to the sign-in page is open now.
    void queryClient.invalidateQueries(sessionQuery)
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
  made: NewKey
  onClose: () => void
  first: React.RefObject<HTMLDivElement | null>
}) {
  const navigate = useNavigate()
  return (
    <>
      <div className="secret" ref={first} tabIndex={-1}>
        <div className="row apart">
          <strong>{key.name}</strong>
          <CopyButton text={secret} what={`the key ${key.name}`} tone="primary" />
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
