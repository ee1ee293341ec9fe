import { call, type ReplyTo } from '../../../api/client.ts'
import { CodeBlock } from '../../../parts/code-block.tsx'
import { EmptyState } from '../../../parts/states.tsx'
import { useWords } from '../../../words/language.tsx'
import { PagedRows } from '../paged-rows.tsx'
import { usePages } from '../use-pages.ts'
import { ReceiptTable } from './receipt-table.tsx'
import { operatorAccountWords } from './words.ts'

export type Receipt = ReplyTo<'get /operator/v1/accounts/{account_id}/receipts'>['data'][number]

/** What each request was and cost; what was said in it is kept nowhere. */
export function ReceiptList({ accountId }: { readonly accountId: string }) {
  const pages = usePages(['receipts', accountId], (cursor, signal) =>
    call(
      'get /operator/v1/accounts/{account_id}/receipts',
      { params: { account_id: accountId }, query: { cursor } },
      signal,
    ),
  )
  return (
    <PagedRows pages={pages} empty={<NoReceipts />}>
      {(receipts) => <ReceiptTable receipts={receipts} />}
    </PagedRows>
  )
}

function NoReceipts() {
  const { receipts: words } = useWords(operatorAccountWords)
  return (
    <EmptyState title={words.none}>
      <p>{words.noneText}</p>
      <CodeBlock code='npx parley chat --brand air "Say hello"' label={words.command} />
    </EmptyState>
  )
}
