// The button itself says, to screen readers too, whether it copied. Where no script may copy, it asks the
// reader to.
import { useEffect, useState } from 'react'
import { Button } from './button.tsx'
import { writeToClipboard } from './clipboard.ts'
import { Icon } from './icons.tsx'

const LABELS = { idle: 'Copy', copied: 'Copied', failed: 'Select and copy it' } as const
type Outcome = { state: keyof typeof LABELS; text?: string }
const IDLE: Outcome = { state: 'idle' }

export function CopyButton({
  text,
  what,
  size = 'small',
  tone = 'plain',
}: {
  text: string
  what: string
  size?: 'normal' | 'small'
  tone?: 'plain' | 'primary'
}) {
  // A new object for each press, so that the same outcome again is shown for its full time.
  const [outcome, setOutcome] = useState<Outcome>(IDLE)
  useEffect(() => {
    if (outcome === IDLE) return
    const timer = setTimeout(() => setOutcome(IDLE), 2_500)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = async () => {
    setOutcome({ state: (await writeToClipboard(text)) ? 'copied' : 'failed', text })
  }
  // Another text may have taken the place of the one that was copied.
  const { state } = outcome.text === text ? outcome : IDLE
  return (
    <Button size={size} tone={tone} onClick={() => void copy()}>
      <Icon name={state === 'copied' ? 'check' : 'copy'} />
      <span aria-live="polite">{LABELS[state]}</span>
      <span className="visually-hidden"> {what}</span>
    </Button>
  )
}

export const CodeBlock = ({ code, what }: { code: string; what: string }) => (
  <div className="code">
    <pre>
      <code>{code}</code>
    </pre>
    <CopyButton text={code} what={what} />
  </div>
)
