import { writeEuros } from '../../../format/figures.ts'
import { writeMoment } from '../../../format/times.ts'
import { Facts } from '../../../parts/facts.tsx'
import { Card } from '../../../parts/page.tsx'
import { useSpeech, useWords } from '../../../words/language.tsx'
import type { Account } from '../account-queries.ts'
import { AccountState } from '../accounts/account-table.tsx'
import { operatorWords } from '../words.ts'
import { operatorAccountWords } from './words.ts'

export function AccountFacts({ account }: { readonly account: Account }) {
  const words = useWords(operatorAccountWords)
  const { plan, created } = useWords(operatorWords)
  const { locale } = useSpeech()
  const euros = (amount: string) => writeEuros(amount, locale)
  const { daily_ceiling_eur: ceiling } = account
  return (
    <Card title={account.email} aside={<AccountState isSuspended={account.suspended} />}>
      <Facts
        facts={[
          [words.balance, euros(account.balance_eur)],
          [words.held, euros(account.held_eur)],
          [words.deposits, euros(account.deposits_eur)],
          [words.spentToday, euros(account.spent_today_eur)],
          [words.ceiling, ceiling === null ? words.noCeiling : euros(ceiling)],
          [words.tier, account.tier],
          [plan, account.plan],
          [words.name, account.name ?? words.none],
          [words.id, account.id],
          [created, writeMoment(account.created_at, locale)],
        ]}
      />
    </Card>
  )
}
