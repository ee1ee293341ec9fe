import { Card } from '../../../parts/page.tsx'
import { useWords } from '../../../words/language.tsx'
import { OperatorPage } from '../operator-page.tsx'
import { SearchForm } from '../search-form.tsx'
import { TopupList } from '../topups/topup-list.tsx'
import { useFilters } from '../use-filters.ts'
import { Reconciliation } from './reconciliation.tsx'
import { paymentsWords } from './words.ts'

export function PaymentsScreen() {
  const words = useWords(paymentsWords)
  const [{ account }, setFilters] = useFilters(['account'])
  return (
    <OperatorPage title={words.title} intro={words.intro}>
      <Card title={words.topups}>
        <div className="flex min-w-0 flex-col gap-6">
          <SearchForm
            key={account}
            label={words.account}
            hint={words.accountHint}
            value={account}
            onSearch={(wanted) => setFilters({ account: wanted })}
          />
          <TopupList {...(account !== '' && { accountId: account })} />
        </div>
      </Card>
      <Reconciliation />
    </OperatorPage>
  )
}
