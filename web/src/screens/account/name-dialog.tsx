import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { personQuery, type Person } from '../../api/own.ts'
import { people } from '../../api/people.ts'
import { TextField } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useWords } from '../../words/language.tsx'
import { problemWords } from './problem-words.ts'
import { sortProblem } from './sort-problem.ts'
import { accountWords } from './words.ts'

export function NameDialog({
  person,
  onDone,
  onClose,
}: {
  readonly person: Person
  readonly onDone: () => void
  readonly onClose: () => void
}) {
  const words = useWords(accountWords)
  const queries = useQueryClient()
  const [name, setName] = useState(person.name ?? '')
  const rename = useMutation({
    mutationFn: () => people.rename(name.trim()),
    async onSuccess() {
      await queries.invalidateQueries(personQuery)
      onDone()
    },
  })
  const { fields, note } = sortProblem(rename.error, useWords(problemWords))
  return (
    <FormDialog
      title={words.changeName}
      submit={words.save}
      busy={rename.isPending}
      problem={note}
      onSubmit={() => rename.mutate()}
      onClose={onClose}
    >
      <TextField
        label={words.name}
        hint={words.nameHint}
        problem={fields.name}
        autoComplete="name"
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
    </FormDialog>
  )
}
