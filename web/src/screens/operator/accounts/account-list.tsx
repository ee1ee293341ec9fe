import { call } from '../../../api/client.ts'
import { CodeBlock } from '../../../parts/code-block.tsx'
import { EmptyState } from '../../../parts/states.tsx'
import { useWords } from '../../../words/language.tsx'
import { PagedRows } from '../paged-rows.tsx'
import { usePages } from '../use-pages.ts'
import { AccountTable } from './account-table.tsx'
import { accountsWords } from './words.ts'

const COMMAND = 'npx parley account create --email ada@example.com'

export function AccountList({ email }: { readonly email: string }) {
  const pages = usePages(['accounts', email], (cursor, signal) =>
    call('get /operator/v1/accounts', { query: { email, cursor } }, signal),
  )
  return (
    <PagedRows pages={pages} empty={<NoAccounts email={email} />}>
      {(accounts) => <AccountTable accounts={accounts} />}
    </PagedRows>
  )
}

function NoAccounts({ email }: { readonly email: string }) {
  const words = useWords(accountsWords)
  if (email !== '') {
    return (
      <EmptyState title={words.noneFound(email)}>
        <p>{words.noneFoundText}</p>
      </EmptyState>
    )
  }
  return (
    <EmptyState title={words.none}>
      <p>{words.noneText}</p>
      <CodeBlock code={COMMAND} label={words.command} />
    </EmptyState>
  )
}
