import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { personQuery } from '../../api/own.ts'
import { people, type TwoFactorStart } from '../../api/people.ts'
import { useWords } from '../../words/language.tsx'
import { AuthenticatorDialog } from './authenticator-dialog.tsx'
import { ConfirmPasswordDialog } from './confirm-password-dialog.tsx'
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx'
import { sessionsQuery } from './sessions-query.ts'
import { signInWords } from './sign-in-words.ts'

export type TwoFactorGoal = 'turn-on' | 'new-codes'

/** From the password over the authenticator app to the recovery codes; new codes alone skip the app. */
export function TwoFactorDialog({
  goal,
  onDone,
  onClose,
}: {
  readonly goal: TwoFactorGoal
  readonly onDone: () => void
  readonly onClose: () => void
}) {
  const words = useWords(signInWords)
  const queries = useQueryClient()
  const [start, setStart] = useState<TwoFactorStart>()
  const [codes, setCodes] = useState<readonly string[]>()
  async function finish(): Promise<void> {
    // Only now: what is shown here must outlast what it changes behind it.
    await queries.invalidateQueries(personQuery)
    await queries.invalidateQueries(sessionsQuery)
    onDone()
  }
  if (codes) return <RecoveryCodesDialog codes={codes} onDone={() => void finish()} />
  if (start) {
    return (
      <AuthenticatorDialog
        totpUri={start.totpURI}
        onConfirmed={() => setCodes(start.backupCodes)}
        onClose={onClose}
      />
    )
  }
  if (goal === 'new-codes') {
    return (
      <ConfirmPasswordDialog
        title={words.newCodes}
        text={words.newCodesText}
        submit={words.continue}
        confirm={people.renewRecoveryCodes}
        onConfirmed={({ backupCodes }) => setCodes(backupCodes)}
        onClose={onClose}
      />
    )
  }
  return (
    <ConfirmPasswordDialog
      title={words.turnOnTitle}
      text={words.confirmPassword}
      submit={words.continue}
      confirm={people.beginTwoFactor}
      onConfirmed={setStart}
      onClose={onClose}
    />
  )
}
