import { useState } from 'react'
import { Notice } from '../../../parts/notice.tsx'
import { Card } from '../../../parts/page.tsx'
import { useWords } from '../../../words/language.tsx'
import { AccountLink } from '../account-link.tsx'
import type { Account } from '../account-queries.ts'
import { OperatorPage } from '../operator-page.tsx'
import { SearchForm } from '../search-form.tsx'
import { useFilters } from '../use-filters.ts'
import { AccountList } from './account-list.tsx'
import { CreateAccount } from './create-account.tsx'
import { accountsWords } from './words.ts'

export function AccountsScreen() {
  const words = useWords(accountsWords)
  const [{ email }, setFilters] = useFilters(['email'])
  const [created, setCreated] = useState<Account>()
  return (
    <OperatorPage title={words.title} intro={words.intro}>
      <div className="flex flex-wrap items-end justify-between gap-4">
        <SearchForm
          key={email}
          label={words.email}
          hint={words.emailHint}
          type="email"
          value={email}
          onSearch={(wanted) => setFilters({ email: wanted })}
        />
        <CreateAccount onCreated={setCreated} />
      </div>
      {created && (
        <Notice kind="good">
          <p>{words.created(created.email)}</p>
          <AccountLink accountId={created.id}>{words.open}</AccountLink>
        </Notice>
      )}
      <Card>
        <AccountList email={email} />
      </Card>
    </OperatorPage>
  )
}
