import { call } from '../../../api/client.ts'
import { useWords } from '../../../words/language.tsx'
import { NamedDeedDialog } from '../named-deed-dialog.tsx'
import type { ApiKey } from './key-list.tsx'
import { operatorAccountWords } from './words.ts'

export function RevokeKeyDialog({
  accountId,
  apiKey: { id, name },
  onDone,
  onClose,
}: {
  readonly accountId: string
  readonly apiKey: ApiKey
  /** Told which one. */
  readonly onDone: (name: string) => void
  readonly onClose: () => void
}) {
  const { keys: words } = useWords(operatorAccountWords)
  return (
    <NamedDeedDialog
      name={name}
      title={words.revokeTitle(name)}
      act={words.revoke}
      run={() =>
        call('delete /operator/v1/accounts/{account_id}/keys/{key_id}', {
          params: { account_id: accountId, key_id: id },
        })
      }
      onDone={() => onDone(name)}
      onClose={onClose}
    >
      <p>{words.revokeText}</p>
    </NamedDeedDialog>
  )
}
