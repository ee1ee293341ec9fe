import { useWords } from '../../../words/language.tsx'
import { Verification } from '../books/verification.tsx'
import { OperatorPage } from '../operator-page.tsx'
import { ModelGlance } from './model-glance.tsx'
import { NewestAccounts } from './newest-accounts.tsx'
import { PaymentGlance } from './payment-glance.tsx'
import { overviewWords } from './words.ts'

export function OverviewScreen() {
  const words = useWords(overviewWords)
  return (
    <OperatorPage title={words.title} intro={words.intro}>
      <div className="grid min-w-0 items-start gap-6 lg:grid-cols-2">
        <ModelGlance />
        <PaymentGlance />
      </div>
      <Verification />
      <NewestAccounts />
    </OperatorPage>
  )
}
