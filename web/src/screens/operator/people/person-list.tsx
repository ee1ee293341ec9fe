import { call } from '../../../api/client.ts'
import { ButtonLink } from '../../../parts/button.tsx'
import { EmptyState } from '../../../parts/states.tsx'
import { useWords } from '../../../words/language.tsx'
import { PagedRows } from '../paged-rows.tsx'
import type { OperatorPerson } from '../person-queries.ts'
import { usePages } from '../use-pages.ts'
import { PersonTable } from './person-table.tsx'
import { peopleWords } from './words.ts'

export function PersonList({
  email,
  role,
  onDone,
}: {
  readonly email: string
  readonly role: OperatorPerson['role'] | undefined
  readonly onDone: (sentence: string) => void
}) {
  const pages = usePages(['people', email, role], (cursor, signal) =>
    call('get /operator/v1/people', { query: { email, cursor, ...(role && { role }) } }, signal),
  )
  const isSearch = email !== '' || role !== undefined
  return (
    <PagedRows pages={pages} empty={<NoPeople isSearch={isSearch} />}>
      {(people) => <PersonTable people={people} onDone={onDone} />}
    </PagedRows>
  )
}

function NoPeople({ isSearch }: { readonly isSearch: boolean }) {
  const words = useWords(peopleWords)
  return (
    <EmptyState title={isSearch ? words.noneFound : words.none}>
      <p>{isSearch ? words.noneFoundText : words.noneText}</p>
      {!isSearch && (
        <ButtonLink to="/console/operator/accounts" kind="second">
          {words.toAccounts}
        </ButtonLink>
      )}
    </EmptyState>
  )
}
