import { useMutation } from '@tanstack/react-query'
import { useState, type ComponentProps } from 'react'
import { TextField } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useWords } from '../../words/language.tsx'
import { problemWords } from './problem-words.ts'
import { sortProblem } from './sort-problem.ts'
import { accountWords } from './words.ts'

/** Another name for a person, or for something of theirs. */
export function RenameDialog({
  title,
  current,
  rename,
  onClose,
  ...field
}: {
  readonly title: string
  readonly current: string | null | undefined
  /** Ends once the new name is what is shown. */
  readonly rename: (name: string) => Promise<void>
  readonly onClose: () => void
} & Pick<ComponentProps<typeof TextField>, 'label' | 'hint' | 'autoComplete'>) {
  const words = useWords(accountWords)
  const [name, setName] = useState(current ?? '')
  const renaming = useMutation({ mutationFn: () => rename(name.trim()) })
  const { fields, note } = sortProblem(renaming.error, useWords(problemWords))
  return (
    <FormDialog
      title={title}
      submit={words.save}
      busy={renaming.isPending}
      problem={note}
      onSubmit={() => renaming.mutate()}
      onClose={onClose}
    >
      <TextField
        {...field}
        problem={fields.name}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
    </FormDialog>
  )
}
