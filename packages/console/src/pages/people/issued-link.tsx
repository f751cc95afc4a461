// The one time that a link is shown, so it closes by its own button alone. A link that was lost is
// made again, which ends the lost one.
import type { IssuedLink } from '../../api/contract.ts'
import { Button } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Time } from '../../components/time.tsx'

export const IssuedLinkDialog = ({
  issued,
  onClose,
}: {
  issued: IssuedLink | undefined
  onClose: () => void
}) => (
  <Dialog
    isOpen={issued !== undefined}
    onClose={onClose}
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
          It works until <Time at={issued.expiresAt} />. Any earlier link for this address has
          ended.
        </p>
      </>
    )}
    <div className="row end">
      <Button tone="primary" onClick={onClose}>
        I have saved it
      </Button>
    </div>
  </Dialog>
)
