import { useQueryClient } from '@tanstack/react-query'
import { personQuery, type Person } from '../../api/own.ts'
import { people } from '../../api/people.ts'
import { useWords } from '../../words/language.tsx'
import { RenameDialog } from './rename-dialog.tsx'
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
  async function rename(name: string): Promise<void> {
    await people.rename(name)
    await queries.invalidateQueries(personQuery)
    onDone()
  }
  return (
    <RenameDialog
      title={words.changeName}
      label={words.name}
      hint={words.nameHint}
      autoComplete="name"
      current={person.name}
      rename={rename}
      onClose={onClose}
    />
  )
}
