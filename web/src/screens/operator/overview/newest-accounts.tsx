import { useQuery } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { Card } from '../../../parts/page.tsx'
import { EmptyState, Loaded } from '../../../parts/states.tsx'
import { useWords } from '../../../words/language.tsx'
import { TextLink } from '../text-link.tsx'
import { AccountTable } from '../accounts/account-table.tsx'
import { overviewWords } from './words.ts'

const MOST = '5'

export function NewestAccounts() {
  const words = useWords(overviewWords)
  const accounts = useQuery({
    queryKey: ['operator', 'newest-accounts'],
    queryFn: ({ signal }) => call('get /operator/v1/accounts', { query: { limit: MOST } }, signal),
  })
  return (
    <Card
      title={words.accounts}
      aside={<TextLink to="/console/operator/accounts">{words.accountsLink}</TextLink>}
    >
      <Loaded query={accounts} lines={6}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState title={words.noAccounts} />
          ) : (
            <AccountTable accounts={data} />
          )
        }
      </Loaded>
    </Card>
  )
}
