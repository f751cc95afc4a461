import { PASSWORD_LENGTH_MIN } from '../../api/contract.ts'
import { PasswordField } from '../../components/field.tsx'

export const NewPassword = ({
  label = 'Password',
  value,
  onChange,
  error,
}: {
  label?: string
  value: string
  onChange: (value: string) => void
  error: string | undefined
}) => (
  <PasswordField
    label={label}
    hint={`At least ${PASSWORD_LENGTH_MIN} characters. A sentence is easy to keep in mind.`}
    autoComplete="new-password"
    minLength={PASSWORD_LENGTH_MIN}
    value={value}
    onChange={onChange}
    error={error}
  />
)
