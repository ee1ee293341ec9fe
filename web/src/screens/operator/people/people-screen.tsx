import { useState } from 'react'
import { Card } from '../../../parts/page.tsx'
import { SelectField } from '../../../parts/field.tsx'
import { Notice } from '../../../parts/notice.tsx'
import { useWords } from '../../../words/language.tsx'
import { OperatorPage } from '../operator-page.tsx'
import { SearchForm } from '../search-form.tsx'
import { useFilters } from '../use-filters.ts'
import { PersonList } from './person-list.tsx'
import { peopleWords } from './words.ts'

const ROLES = ['customer', 'operator'] as const

export function PeopleScreen() {
  const words = useWords(peopleWords)
  const [filters, setFilters] = useFilters(['email', 'role'])
  const [done, setDone] = useState<string>()
  const role = ROLES.find((one) => one === filters.role)
  return (
    <OperatorPage title={words.title} intro={words.intro}>
      <div className="flex flex-wrap items-end gap-4">
        <SearchForm
          key={filters.email}
          label={words.email}
          hint={words.emailHint}
          type="email"
          value={filters.email}
          onSearch={(email) => setFilters({ email })}
        />
        <SelectField
          label={words.role}
          value={role ?? ''}
          onChange={(event) => setFilters({ role: event.target.value })}
        >
          <option value="">{words.anyRole}</option>
          {ROLES.map((one) => (
            <option key={one} value={one}>
              {words.roles[one]}
            </option>
          ))}
        </SelectField>
      </div>
      {done !== undefined && (
        <Notice kind="good">
          <p className="wrap-anywhere">{done}</p>
        </Notice>
      )}
      <Card>
        <PersonList email={filters.email} role={role} onDone={setDone} />
      </Card>
    </OperatorPage>
  )
}
