// A label with its control, hint and error, tied together for screen readers too.
import { createContext, type ReactNode, use, useId, useState } from 'react'
import { type ApiError, isApiError } from '../api/client.ts'
import { Button } from './button.tsx'

/** Whether fields are read-only because their form waits for its answer. */
export const FieldsAreHeld = createContext(false)

type ControlProps = {
  id: string
  className: string
  /** Typed text takes its own direction, as it does wherever it is shown. */
  dir: 'auto'
  readOnly: boolean
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

export function Field({
  label,
  hint,
  error,
  children,
}: {
  label: ReactNode
  hint?: ReactNode
  error?: string | undefined
  children: (control: ControlProps) => ReactNode
}) {
  const id = useId()
  const isHeld = use(FieldsAreHeld)
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        className: 'input',
        dir: 'auto',
        readOnly: isHeld,
        'aria-describedby': described || undefined,
        'aria-invalid': error ? true : undefined,
      })}
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p className="error" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
    </div>
  )
}

/** For what has to arrive as it was typed: the keyboards of phones begin a text with a capital letter. */
const AS_TYPED = { autoCapitalize: 'none', autoCorrect: 'off', spellCheck: false } as const

/** One line of text that the browser neither completes nor checks nor changes. */
export const TextField = ({
  label,
  hint,
  error,
  value,
  onChange,
  ...input
}: {
  label: ReactNode
  hint?: string
  error?: string | undefined
  value: string
  onChange: (value: string) => void
  required?: boolean
  readOnly?: boolean
  maxLength?: number
  list?: string
  placeholder?: string | undefined
}) => (
  <Field label={label} hint={hint} error={error}>
    {(control) => (
      <input
        {...control}
        {...input}
        {...AS_TYPED}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        autoComplete="off"
      />
    )}
  </Field>
)

/**
 * Not `type="email"`: with that browsers refuse addresses in non-Latin letters, or rewrite their domain. It
 * trims white space as that would.
 */
export const EmailField = ({
  error,
  value,
  onChange,
  autoComplete,
  readOnly = false,
}: {
  error?: string | undefined
  value: string
  onChange: (value: string) => void
  autoComplete: 'username' | 'off'
  readOnly?: boolean
}) => (
  <Field label="E-mail address" error={error}>
    {(control) => (
      <input
        {...control}
        {...AS_TYPED}
        inputMode="email"
        pattern="[^\s@]+@[^\s@]+"
        title="An address such as anna@example.com"
        autoComplete={autoComplete}
        value={value}
        readOnly={readOnly || control.readOnly}
        onChange={(event) => onChange(event.target.value.trim())}
        required
      />
    )}
  </Field>
)

export function PasswordField({
  label,
  hint,
  error,
  value,
  onChange,
  autoComplete,
  minLength,
}: {
  label: string
  hint?: string
  error?: string | undefined
  value: string
  onChange: (value: string) => void
  autoComplete: 'current-password' | 'new-password'
  minLength?: number
}) {
  const [isShown, setShown] = useState(false)
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <div className="with-button">
          <input
            {...control}
            {...AS_TYPED}
            type={isShown ? 'text' : 'password'}
            value={value}
            onChange={(event) => onChange(event.target.value)}
            autoComplete={autoComplete}
            minLength={minLength}
            required
          />
          <Button onClick={() => setShown(!isShown)}>
            {isShown ? 'Hide' : 'Show'}
            <span className="visually-hidden"> {label.toLowerCase()}</span>
          </Button>
        </div>
      )}
    </Field>
  )
}

/**
 * The server's message, when its error is about this field. Where the message begins with the field's name in
 * the interface it begins with "It" here, because the reader knows the field by its label.
 */
export function fieldError(error: unknown, field: string, ...codes: ApiError['code'][]) {
  if (!isApiError(error) || !(error.field === field || codes.includes(error.code))) return undefined
  const { message } = error
  return message.startsWith(`${field} `) ? `It${message.slice(field.length)}` : message
}
