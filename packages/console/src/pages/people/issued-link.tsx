// Shows a new link, once. As for a new key, only its own button closes it, and nothing leads away before. For
// a lost link a new one is made, which ends the lost one.
import { useBlocker } from '@tanstack/react-router'
import { sessionQuery } from '../../api/accounts.ts'
import type { IssuedLink } from '../../api/contract.ts'
import { refetch } from '../../api/query-client.ts'
import { Button } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Time } from '../../components/time.tsx'

export function IssuedLinkDialog({
  issued,
  onClose,
}: {
  issued: IssuedLink | undefined
  onClose: () => void
}) {
  const isUnsaved = issued !== undefined
  useBlocker({
    disabled: !isUnsaved,
    shouldBlockFn: () => isUnsaved,
    enableBeforeUnload: isUnsaved,
  })
  const close = () => {
    onClose()
    // If the session has ended meanwhile this leads to the sign-in page, which was blocked until now.
    void refetch(sessionQuery)
  }
  return (
    <Dialog
      isOpen={issued !== undefined}
      onClose={close}
      isHeld
      title="Copy this link now"
      description="It is shown this once and works once."
    >
      {issued && (
        <>
          <div className="secret">
            <div className="row apart">
              <strong>{issued.email}</strong>
              <CopyButton text={issued.url} what={`the link for ${issued.email}`} tone="primary" />
            </div>
            <code data-testid="issued-link">{issued.url}</code>
          </div>
          <p className="quiet small">
            It works until <Time at={issued.expiresAt} />. An earlier link of its kind for this
            address has ended.
          </p>
        </>
      )}
      <div className="row end">
        <Button tone="primary" onClick={close}>
          I have saved it
        </Button>
      </div>
    </Dialog>
  )
}
