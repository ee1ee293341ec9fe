import type { MemberRole } from '../../api/rights.ts'
import { SelectField } from '../../parts/field.tsx'
import { roleWords } from '../../parts/role-words.ts'
import { useWords } from '../../words/language.tsx'
import { membersWords } from './words.ts'

export const ROLES: readonly MemberRole[] = ['owner', 'developer', 'billing', 'read_only']

export function RoleField({
  role,
  onChoose,
}: {
  readonly role: MemberRole
  readonly onChoose: (role: MemberRole) => void
}) {
  const words = useWords(membersWords)
  const { roles } = useWords(roleWords)
  return (
    <SelectField
      label={words.role}
      hint={words.mays[role]}
      value={role}
      onChange={({ target }) => {
        const chosen = ROLES.find((one) => one === target.value)
        if (chosen) onChoose(chosen)
      }}
    >
      {ROLES.map((one) => (
        <option key={one} value={one}>
          {roles[one]}
        </option>
      ))}
    </SelectField>
  )
}
