import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useWords } from '../../words/language.tsx'
import { sessionsQuery } from './sessions-query.ts'
import { accountWords } from './words.ts'

export function EndOthersDialog({
  onDone,
  onClose,
}: {
  readonly onDone: () => void
  readonly onClose: () => void
}) {
  const words = useWords(accountWords)
  const queries = useQueryClient()
  const end = useMutation({
    mutationFn: () => call('delete /console/api/sessions', {}),
    async onSuccess() {
      await queries.invalidateQueries(sessionsQuery)
      onDone()
    },
  })
  return (
    <FormDialog
      title={words.endOthersTitle}
      submit={words.endOthers}
      kind="danger"
      busy={end.isPending}
      problem={end.error ?? undefined}
      onSubmit={() => end.mutate()}
      onClose={onClose}
    >
      <p>{words.endOthersText}</p>
    </FormDialog>
  )
}
