import { useQuery } from '@tanstack/react-query'
import { Card } from '../../../parts/page.tsx'
import { Loaded } from '../../../parts/states.tsx'
import { useWords } from '../../../words/language.tsx'
import { accountQuery, type Account } from '../account-queries.ts'
import { TopupList } from '../topups/topup-list.tsx'
import { AccountFacts } from './account-facts.tsx'
import { AlertForm } from './alert-form.tsx'
import { CreditForm } from './credit-form.tsx'
import { KeyList } from './key-list.tsx'
import { LimitForm } from './limit-form.tsx'
import { Owner } from './owner.tsx'
import { ReceiptList } from './receipt-list.tsx'
import { Suspension } from './suspension.tsx'
import { operatorAccountWords } from './words.ts'

/** All that an operator sees of an account, once it is known that there is one. */
export function WholeAccount({ accountId }: { readonly accountId: string }) {
  const account = useQuery(accountQuery(accountId))
  return (
    <Loaded query={account} lines={12}>
      {(found) => <Parts account={found} />}
    </Loaded>
  )
}

function Parts({ account }: { readonly account: Account }) {
  const words = useWords(operatorAccountWords)
  const { id } = account
  return (
    <>
      <div className="grid min-w-0 items-start gap-6 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-6">
          <AccountFacts account={account} />
          <Owner email={account.email} />
          <Suspension account={account} />
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          <CreditForm accountId={id} />
          <LimitForm account={account} />
          <AlertForm accountId={id} />
        </div>
      </div>
      <KeyList accountId={id} />
      <Card title={words.topups}>
        <TopupList accountId={id} />
      </Card>
      <Card title={words.receipts.title}>
        <ReceiptList accountId={id} />
      </Card>
    </>
  )
}
