import { usePerson } from '../../api/own.ts'
import { TextField } from '../../parts/field.tsx'

/** The password that one has: asked for by what a session alone must not do. */
export function PasswordField({
  label,
  problem,
  value,
  onValue,
}: {
  readonly label: string
  readonly problem: string | undefined
  readonly value: string
  readonly onValue: (value: string) => void
}) {
  const { email } = usePerson()
  return (
    <>
      {/* By it password managers know whose it is. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <TextField
        label={label}
        problem={problem}
        type="password"
        autoComplete="current-password"
        value={value}
        onChange={(event) => onValue(event.target.value)}
      />
    </>
  )
}
