import { useQuery } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { writeEuros } from '../../../format/figures.ts'
import { writeMoment } from '../../../format/times.ts'
import { Facts } from '../../../parts/facts.tsx'
import { Card } from '../../../parts/page.tsx'
import { Loaded } from '../../../parts/states.tsx'
import { useSpeech, useWords } from '../../../words/language.tsx'
import { TextLink } from '../text-link.tsx'
import { isOff, type Topup } from '../topups/topup-list.tsx'
import { overviewWords } from './words.ts'

/** Whether payments are taken, and by whom: the last top-up tells. */
export function PaymentGlance() {
  const words = useWords(overviewWords)
  const topups = useQuery({
    queryKey: ['operator', 'last-topup'],
    queryFn: ({ signal }) => call('get /operator/v1/topups', { query: { limit: '1' } }, signal),
  })
  return (
    <Card
      title={words.payments}
      aside={<TextLink to="/console/operator/payments">{words.paymentsLink}</TextLink>}
    >
      {isOff(topups.error) ? (
        <p>{words.paymentsOff}</p>
      ) : (
        <Loaded query={topups} lines={4}>
          {({ data: [last] }) => (
            <div className="flex flex-col gap-3">
              <p>{words.paymentsOn}</p>
              {last ? <LastTopup last={last} /> : <p className="text-soft">{words.noTopup}</p>}
            </div>
          )}
        </Loaded>
      )}
    </Card>
  )
}

function LastTopup({ last }: { readonly last: Topup }) {
  const words = useWords(overviewWords)
  const { locale } = useSpeech()
  const { amount_eur: amount, created_at: at, provider, test } = last
  return (
    <Facts
      facts={[
        [words.provider, words.providers[provider]],
        [words.money, test ? words.testMoney : words.realMoney],
        [words.lastTopup, `${writeEuros(amount, locale)}, ${writeMoment(at, locale)}`],
      ]}
    />
  )
}
