import { useChosenAccount } from '../../api/chosen-account.tsx'
import { useMay } from '../../api/rights.ts'
import { writeEuros } from '../../format/figures.ts'
import { Facts } from '../../parts/facts.tsx'
import { LookOnly } from '../../parts/look-only.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { useSpeech, useWords } from '../../words/language.tsx'
import { CheckoutReturn } from './checkout-return.tsx'
import { Statement } from './statement.tsx'
import { TopUpCard } from './top-up-card.tsx'
import { TopupList } from './topup-list.tsx'
import { balanceWords } from './words.ts'

export function BalanceScreen() {
  const words = useWords(balanceWords)
  const { account } = useChosenAccount()
  const mayPay = useMay()('pay')
  return (
    <Page title={words.title}>
      <CheckoutReturn />
      {account.suspended && <Notice kind="warn">{words.suspended}</Notice>}
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <BalanceCard />
        {mayPay ? <TopUpCard /> : <LookOnly />}
      </div>
      <Statement />
      <TopupList />
    </Page>
  )
}

function BalanceCard() {
  const words = useWords(balanceWords)
  const { locale } = useSpeech()
  const { account } = useChosenAccount()
  return (
    <Card title={words.balance}>
      <p className="mb-5 text-3xl font-semibold tracking-tight wrap-anywhere tabular-nums sm:text-4xl">
        {writeEuros(account.balance_eur, locale)}
      </p>
      <Facts
        facts={[
          [words.held, writeEuros(account.held_eur, locale)],
          [words.deposits, writeEuros(account.deposits_eur, locale)],
          [words.tier, account.tier],
        ]}
      />
    </Card>
  )
}
