import { useMutation, useQueryClient } from '@tanstack/react-query'
import { people, type Passkey } from '../../api/people.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useWords } from '../../words/language.tsx'
import { passkeysQuery } from './passkeys-query.ts'
import { problemWords } from './problem-words.ts'
import { signInWords } from './sign-in-words.ts'
import { sortProblem } from './sort-problem.ts'

export function RemovePasskeyDialog({
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
  const remove = useMutation({
    mutationFn: () => people.removePasskey(passkey.id),
    async onSuccess() {
      await queries.invalidateQueries(passkeysQuery)
      onDone()
    },
  })
  const { note } = sortProblem(remove.error, useWords(problemWords))
  return (
    <FormDialog
      title={words.removeTitle(passkey.name || words.unnamed)}
      submit={words.remove}
      kind="danger"
      busy={remove.isPending}
      problem={note}
      onSubmit={() => remove.mutate()}
      onClose={onClose}
    >
      <p>{words.removeText}</p>
    </FormDialog>
  )
}
