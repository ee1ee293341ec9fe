import { writeEuros } from '../../format/figures.ts'
import { useSpeech, useWords } from '../../words/language.tsx'
import { TestMoney } from './test-money.tsx'
import type { Topup } from './topups.ts'
import { balanceWords } from './words.ts'

export function TopupState({ topup }: { readonly topup: Topup }) {
  const words = useWords(balanceWords)
  const { locale } = useSpeech()
  const { state, dispute, refunded_eur: refunded, test } = topup
  const notes = [
    refunded !== '0.00' && words.refunded(writeEuros(refunded, locale)),
    dispute !== null && words.disputes[dispute],
  ].filter((note) => note !== false)
  return (
    <div className="flex min-w-40 flex-wrap items-center gap-x-3 gap-y-1">
      <span className={state === 'paid' ? 'text-good' : ''}>{words.states[state]}</span>
      {notes.length > 0 && <span className="text-soft">{notes.join(', ')}</span>}
      {test && <TestMoney />}
    </div>
  )
}
