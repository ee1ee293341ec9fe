import { useQueryClient } from '@tanstack/react-query'
import { people, type Passkey } from '../../api/people.ts'
import { useWords } from '../../words/language.tsx'
import { passkeysQuery } from './passkeys-query.ts'
import { RenameDialog } from './rename-dialog.tsx'
import { signInWords } from './sign-in-words.ts'

export function RenamePasskeyDialog({
  passkey,
  onDone,
  onClose,
}: {
  readonly passkey: Passkey
  readonly onDone: () => void
  readonly onClose: () => void
}) {
  const words = useWords(signInWords)
  const queries = useQueryClient()
  async function rename(name: string): Promise<void> {
    await people.renamePasskey(passkey.id, name)
    await queries.invalidateQueries(passkeysQuery)
    onDone()
  }
  return (
    <RenameDialog
      title={words.renameTitle}
      label={words.passkeyName}
      autoComplete="off"
      current={passkey.name}
      rename={rename}
      onClose={onClose}
    />
  )
}
