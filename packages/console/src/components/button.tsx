import type { ButtonHTMLAttributes, MouseEvent, Ref } from 'react'

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  tone?: 'plain' | 'primary' | 'danger' | 'bare'
  size?: 'normal' | 'small'
  isIcon?: boolean
  /** While work goes on a second press does nothing, and the button keeps the focus. */
  isBusy?: boolean
  ref?: Ref<HTMLButtonElement>
}

export function Button({
  tone = 'plain',
  size = 'normal',
  isIcon = false,
  isBusy = false,
  className = '',
  type = 'button',
  onClick,
  ...rest
}: ButtonProps) {
  const isRefused = isBusy || rest['aria-disabled'] === true
  const names = ['button', tone, size, isIcon ? 'icon' : '', className]
  return (
    <button
      {...rest}
      type={type}
      className={names.filter(Boolean).join(' ')}
      aria-disabled={isRefused || undefined}
      onClick={isRefused ? refuse : onClick}
    />
  )
}

/**
 * The button stays the one that submits, so Enter in a field presses it and is refused too. A form without
 * such a button would be submitted by Enter.
 */
const refuse = (event: MouseEvent<HTMLButtonElement>) => event.preventDefault()
