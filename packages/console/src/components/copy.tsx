// The button says in its own place, and aloud, whether it copied. Where no script may, it asks the reader to.
import { useEffect, useState } from 'react'
import { Button } from './button.tsx'
import { writeToClipboard } from './clipboard.ts'
import { Icon } from './icons.tsx'

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
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle')
  useEffect(() => {
    if (state === 'idle') return
    const timer = setTimeout(() => setState('idle'), 2_500)
    return () => clearTimeout(timer)
  }, [state])
  const copy = async () => {
    setState((await writeToClipboard(text)) ? 'copied' : 'failed')
  }
  const label = { idle: 'Copy', copied: 'Copied', failed: 'Select and copy it' }[state]
  return (
    <Button size={size} tone={tone} onClick={() => void copy()}>
      <Icon name={state === 'copied' ? 'check' : 'copy'} />
      <span aria-live="polite">{label}</span>
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
