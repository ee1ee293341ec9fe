import { useQuery } from '@tanstack/react-query'
import { writeEuros } from '../../format/figures.ts'
import { Button } from '../../parts/button.tsx'
import { Loaded, ProblemNote } from '../../parts/states.tsx'
import { useSpeech, useWords } from '../../words/language.tsx'
import { AMOUNTS, documentsQuery, type Topup } from './topups.ts'
import { useCheckout } from './use-checkout.ts'
import { balanceWords } from './words.ts'

/** Receipt and credit notes of what was paid; a checkout of the same amount for what was not. */
export function TopupPapers({ topup }: { readonly topup: Topup }) {
  if (topup.state === 'open') return <PayAgain topup={topup} />
  return topup.state === 'paid' ? <Papers topupId={topup.id} /> : <>–</>
}

function Papers({ topupId }: { readonly topupId: string }) {
  const words = useWords(balanceWords)
  const documents = useQuery(documentsQuery(topupId))
  return (
    <Loaded query={documents} lines={1}>
      {({ data }) => (
        <ul className="flex min-w-40 flex-wrap gap-x-4 gap-y-1">
          {data.map(({ number, kind }) => (
            <li key={number}>
              <a
                href={`/documents/${number}`}
                className="inline-block min-h-6 text-accent underline underline-offset-4"
              >
                {words.documents[kind]} {number}
              </a>
            </li>
          ))}
        </ul>
      )}
    </Loaded>
  )
}

function PayAgain({ topup }: { readonly topup: Topup }) {
  const words = useWords(balanceWords)
  const { locale } = useSpeech()
  const checkout = useCheckout()
  const amount = AMOUNTS.find((one) => one === topup.amount_eur)
  if (amount === undefined) return <>–</>
  return (
    <div className="flex flex-col items-start gap-2">
      <Button
        kind="second"
        className="min-h-8! py-1!"
        busy={checkout.isLeaving}
        onClick={() => checkout.go(amount)}
      >
        {words.payAgain(writeEuros(amount, locale))}
      </Button>
      {checkout.error && <ProblemNote problem={checkout.error} />}
    </div>
  )
}
