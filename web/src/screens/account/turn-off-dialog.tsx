import { useQueryClient } from '@tanstack/react-query'
import { personQuery } from '../../api/own.ts'
import { people } from '../../api/people.ts'
import { useWords } from '../../words/language.tsx'
import { ConfirmPasswordDialog } from './confirm-password-dialog.tsx'
import { sessionsQuery } from './sessions-query.ts'
import { signInWords } from './sign-in-words.ts'

export function TurnOffDialog({
  onDone,
  onClose,
}: {
  readonly onDone: () => void
  readonly onClose: () => void
}) {
  const words = useWords(signInWords)
  const queries = useQueryClient()
  async function finish(): Promise<void> {
    await queries.invalidateQueries(personQuery)
    await queries.invalidateQueries(sessionsQuery)
    onDone()
  }
  return (
    <ConfirmPasswordDialog
      title={words.turnOffTitle}
      text={words.turnOffText}
      submit={words.turnOff}
      kind="danger"
      confirm={people.endTwoFactor}
      onConfirmed={() => void finish()}
      onClose={onClose}
    />
  )
}
