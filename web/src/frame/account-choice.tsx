import { useChosenAccount } from '../api/chosen-account.tsx'

import { SelectField } from '../parts/field.tsx'
import { useWords } from '../words/language.tsx'
import { frameWords } from './words.ts'

/** For those who have more than one account. */
export function AccountChoice() {
  const words = useWords(frameWords)
  const { account, accounts, choose } = useChosenAccount()
  if (accounts.length < 2) return null
  return (
    <SelectField
      label={words.account}
      value={account.id}
      onChange={(event) => choose(event.target.value)}
    >
      {accounts.map(({ id }) => (
        <option key={id} value={id}>
          {id}
        </option>
      ))}
    </SelectField>
  )
}
