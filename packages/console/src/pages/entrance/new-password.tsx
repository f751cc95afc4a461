import { PASSWORD_LENGTH_MIN } from '../../api/contract.ts'
import { fieldError, PasswordField } from '../../components/field.tsx'

export const NewPassword = ({
  label = 'Password',
  field = 'password',
  value,
  onChange,
  error,
}: {
  label?: string
  field?: string
  value: string
  onChange: (value: string) => void
  error: unknown
}) => (
  <PasswordField
    label={label}
    hint={`At least ${PASSWORD_LENGTH_MIN} characters. A sentence is easy to keep in mind.`}
    autoComplete="new-password"
    minLength={PASSWORD_LENGTH_MIN}
    value={value}
    onChange={onChange}
    error={fieldError(error, field)}
  />
)
