import { useChosenAccount } from '../api/chosen-account.tsx'
import { SelectField } from '../parts/field.tsx'
import { roleWords } from '../parts/role-words.ts'
import { useWords } from '../words/language.tsx'
import { frameWords } from './words.ts'

/** For those who are members of more than one account. */
export function AccountChoice() {
  const words = useWords(frameWords)
  const { roles } = useWords(roleWords)
  const { account, accounts, choose } = useChosenAccount()
  if (accounts.length < 2) return null
  return (
    <SelectField
      label={words.account}
      value={account.id}
      onChange={(event) => choose(event.target.value)}
    >
      {accounts.map(({ id, email, role }) => (
        // One person may have several: the end of the id tells these apart.
        <option key={id} value={id}>{`${email} · ${roles[role]} · …${id.slice(-4)}`}</option>
      ))}
    </SelectField>
  )
}
