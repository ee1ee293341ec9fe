import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useWords } from '../../words/language.tsx'
import { appsQuery, type ConnectedApp } from './apps-query.ts'
import { connectedAppsWords } from './words.ts'

/** The command that the service brings along is an app like the others, on one's own computers. */
const COMMAND_ID = 'parley-cli'

export function RevokeDialog({
  app,
  onRevoked,
  onClose,
}: {
  readonly app: ConnectedApp
  readonly onRevoked: () => void
  readonly onClose: () => void
}) {
  const words = useWords(connectedAppsWords)
  const queries = useQueryClient()
  const revoke = useMutation({
    mutationFn: () =>
      call('delete /console/api/connected-apps/{connected_client_id}', {
        params: { connected_client_id: app.client_id },
      }),
    async onSuccess() {
      await queries.invalidateQueries(appsQuery)
      onRevoked()
    },
  })
  return (
    <FormDialog
      title={words.revokeTitle(app.name)}
      submit={words.revoke}
      kind="danger"
      busy={revoke.isPending}
      problem={revoke.error ?? undefined}
      onSubmit={() => revoke.mutate()}
      onClose={onClose}
    >
      <p>{words.revokeText}</p>
      {app.client_id === COMMAND_ID && <p>{words.revokeCommand}</p>}
    </FormDialog>
  )
}
