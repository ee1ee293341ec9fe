import { DataTable } from '../../../parts/data-table.tsx'
import { useWords } from '../../../words/language.tsx'
import { AccountLink } from '../account-link.tsx'
import type { Account } from '../account-queries.ts'
import { Euros } from '../euros.tsx'
import { Moment } from '../moment.tsx'
import { Tag } from '../tag.tsx'
import { operatorWords } from '../words.ts'
import { accountsWords } from './words.ts'

export function AccountTable({ accounts }: { readonly accounts: readonly Account[] }) {
  const words = useWords(accountsWords)
  const { plan, created } = useWords(operatorWords)
  return (
    <DataTable
      caption={words.list}
      rows={accounts}
      keyOf={({ id }) => id}
      columns={[
        { title: words.email, cell: (account) => <Owner account={account} /> },
        {
          title: words.balance,
          isFigure: true,
          cell: (account) => <Euros amount={account.balance_eur} />,
        },
        { title: words.tier, isFigure: true, cell: ({ tier }) => tier },
        { title: plan, cell: (account) => account.plan },
        { title: words.state, cell: ({ suspended }) => <AccountState isSuspended={suspended} /> },
        { title: created, cell: (account) => <Moment at={account.created_at} /> },
      ]}
    />
  )
}

function Owner({ account: { id, email, name } }: { readonly account: Account }) {
  return (
    <div className="min-w-48">
      <AccountLink accountId={id}>{email}</AccountLink>
      {name !== null && <p className="line-clamp-2 wrap-anywhere text-soft">{name}</p>}
    </div>
  )
}

export function AccountState({ isSuspended }: { readonly isSuspended: boolean }) {
  const words = useWords(accountsWords)
  return isSuspended ? (
    <Tag kind="danger">{words.suspended}</Tag>
  ) : (
    <Tag kind="good">{words.active}</Tag>
  )
}
