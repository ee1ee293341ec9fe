import { useChosenAccount } from '../api/chosen-account.tsx'
import { useWords } from '../words/language.tsx'
import { roleWords } from './role-words.ts'

/** Stands where those who may would find something to change. */
export function LookOnly() {
  const words = useWords(roleWords)
  const { role } = useChosenAccount().account
  return <p className="max-w-prose text-sm text-soft">{words.lookOnly(words.roles[role])}</p>
}
