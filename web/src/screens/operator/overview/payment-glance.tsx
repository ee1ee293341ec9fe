import { useQuery } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { useSettings } from '../../../api/settings.ts'
import { writeEuros } from '../../../format/figures.ts'
import { writeMoment } from '../../../format/times.ts'
import { Facts } from '../../../parts/facts.tsx'
import { Card } from '../../../parts/page.tsx'
import { Loaded } from '../../../parts/states.tsx'
import { useSpeech, useWords } from '../../../words/language.tsx'
import { TextLink } from '../text-link.tsx'
import { overviewWords } from './words.ts'

/** Whether payments are taken, in what money, and which one came last. */
export function PaymentGlance() {
  const words = useWords(overviewWords)
  const settings = useSettings()
  return (
    <Card
      title={words.payments}
      aside={<TextLink to="/console/operator/payments">{words.paymentsLink}</TextLink>}
    >
      <Loaded query={settings} lines={4}>
        {({ payments }) =>
          payments ? <TakenPayments isTest={payments.is_test} /> : <p>{words.paymentsOff}</p>
        }
      </Loaded>
    </Card>
  )
}

function TakenPayments({ isTest }: { readonly isTest: boolean }) {
  const words = useWords(overviewWords)
  const { locale } = useSpeech()
  const topups = useQuery({
    queryKey: ['operator', 'last-topup'],
    queryFn: ({ signal }) => call('get /operator/v1/topups', { query: { limit: '1' } }, signal),
  })
  return (
    <Loaded query={topups} lines={4}>
      {({ data: [last] }) => (
        <Facts
          facts={[
            [words.money, isTest ? words.testMoney : words.realMoney],
            [
              words.lastTopup,
              last
                ? `${writeEuros(last.amount_eur, locale)}, ${writeMoment(last.created_at, locale)}`
                : words.noTopup,
            ],
          ]}
        />
      )}
    </Loaded>
  )
}
