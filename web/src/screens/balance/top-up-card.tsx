import { useSettings, type ConsoleSettings } from '../../api/settings.ts'
import { writeEuros } from '../../format/figures.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/page.tsx'
import { EmptyState, Loaded, ProblemNote } from '../../parts/states.tsx'
import { useSpeech, useWords } from '../../words/language.tsx'
import { TestMoney } from './test-money.tsx'
import { AMOUNTS } from './topups.ts'
import { useCheckout } from './use-checkout.ts'
import { balanceWords } from './words.ts'

export function TopUpCard() {
  const words = useWords(balanceWords)
  const settings = useSettings()
  return (
    <Card title={words.topUp} aside={settings.data?.payments?.is_test ? <TestMoney /> : undefined}>
      <Loaded query={settings} lines={4}>
        {({ payments }) => <Amounts payments={payments} />}
      </Loaded>
    </Card>
  )
}

function Amounts({ payments }: Pick<ConsoleSettings, 'payments'>) {
  const words = useWords(balanceWords)
  const { locale } = useSpeech()
  const checkout = useCheckout()
  if (!payments) {
    return (
      <EmptyState title={words.off}>
        <p className="text-soft">{words.offText}</p>
      </EmptyState>
    )
  }
  return (
    <div className="flex flex-col gap-4">
      <div className="grid grid-cols-2 gap-2 sm:grid-cols-4 lg:grid-cols-2 xl:grid-cols-4">
        {AMOUNTS.map((amount) => (
          <Button
            key={amount}
            kind="second"
            className="min-h-12"
            aria-label={words.payIn(writeEuros(amount, locale))}
            busy={checkout.isLeaving && checkout.amount === amount}
            disabled={checkout.isLeaving}
            onClick={() => checkout.go(amount)}
          >
            {writeEuros(amount, locale)}
          </Button>
        ))}
      </div>
      {checkout.error && <ProblemNote problem={checkout.error} />}
      {payments.is_test && <p className="text-sm text-warn">{words.testText}</p>}
      <p className="text-sm text-soft">{words.topUpText}</p>
    </div>
  )
}
