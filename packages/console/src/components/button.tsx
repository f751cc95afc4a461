import type { ButtonHTMLAttributes, MouseEvent, Ref } from 'react'

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  tone?: 'plain' | 'primary' | 'danger' | 'bare'
  size?: 'normal' | 'small'
  isIcon?: boolean
  /** Work goes on: a second press does nothing, and the button keeps the focus. */
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
 * It stays the button that submits: Enter in a field presses it and is refused with it, while a form
 * without one would be submitted by Enter all the same.
 */
const refuse = (event: MouseEvent<HTMLButtonElement>) => event.preventDefault()
