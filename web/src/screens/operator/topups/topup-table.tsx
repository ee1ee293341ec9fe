import type { Column } from '../../../parts/data-table.tsx'
import { DataTable } from '../../../parts/data-table.tsx'
import type { NoticeKind } from '../../../parts/notice.tsx'
import { useWords } from '../../../words/language.tsx'
import { AccountLink } from '../account-link.tsx'
import { Euros } from '../euros.tsx'
import { Moment } from '../moment.tsx'
import { RowButton } from '../row-button.tsx'
import { Tag } from '../tag.tsx'
import type { Topup } from './topup-list.tsx'
import { topupWords } from './words.ts'

const STATE_KINDS: Readonly<Record<Topup['state'], NoticeKind>> = {
  open: 'plain',
  pending: 'warn',
  paid: 'good',
  failed: 'plain',
  expired: 'plain',
  mismatched: 'danger',
}

interface TopupTableProps {
  readonly topups: readonly Topup[]
  /** Whether they are of several accounts. */
  readonly hasAccounts: boolean
  readonly onRefund: (topup: Topup) => void
  readonly onDocuments: (topup: Topup) => void
}

export function TopupTable({ topups, hasAccounts, ...acts }: TopupTableProps) {
  const words = useWords(topupWords)
  const account: Column<Topup> = {
    title: words.account,
    cell: ({ account_id: id }) => (
      <span className="inline-block min-w-32">
        <AccountLink accountId={id} />
      </span>
    ),
  }
  return (
    <DataTable
      caption={words.list}
      rows={topups}
      keyOf={({ id }) => id}
      columns={[
        { title: words.opened, cell: (topup) => <Opened topup={topup} /> },
        ...(hasAccounts ? [account] : []),
        {
          title: words.amount,
          isFigure: true,
          cell: (topup) => <Euros amount={topup.amount_eur} />,
        },
        { title: words.state, cell: (topup) => <TopupState topup={topup} /> },
        {
          title: words.refunded,
          isFigure: true,
          cell: (topup) => <Euros amount={topup.refunded_eur} />,
        },
        { title: words.dispute, cell: ({ dispute }) => <Dispute state={dispute} /> },
        { title: words.actions, cell: (topup) => <TopupActs topup={topup} {...acts} /> },
      ]}
    />
  )
}

function Opened({ topup: { id, created_at: at } }: { readonly topup: Topup }) {
  return (
    <div className="min-w-32">
      <Moment at={at} />
      <p>
        <code className="font-mono text-xs wrap-anywhere text-soft">{id}</code>
      </p>
    </div>
  )
}

function TopupState({ topup: { state, test } }: { readonly topup: Topup }) {
  const words = useWords(topupWords)
  return (
    <div className="flex flex-col items-start gap-1">
      <Tag kind={STATE_KINDS[state]}>{words.states[state]}</Tag>
      {test && <Tag kind="warn">{words.testMoney}</Tag>}
    </div>
  )
}

function Dispute({ state }: { readonly state: Topup['dispute'] }) {
  const words = useWords(topupWords)
  if (state === null) return '–'
  return <Tag kind={state === 'won' ? 'good' : 'danger'}>{words.disputes[state]}</Tag>
}

function TopupActs({
  topup,
  onRefund,
  onDocuments,
}: Pick<TopupTableProps, 'onRefund' | 'onDocuments'> & { readonly topup: Topup }) {
  const words = useWords(topupWords)
  if (topup.state !== 'paid') return '–'
  return (
    <div className="flex flex-col items-start gap-1">
      <RowButton of={topup.id} onClick={() => onDocuments(topup)}>
        {words.documents}
      </RowButton>
      {topup.refunded_eur !== topup.amount_eur && (
        <RowButton of={topup.id} onClick={() => onRefund(topup)}>
          {words.refund}
        </RowButton>
      )}
    </div>
  )
}
