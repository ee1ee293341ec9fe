import type { Standing } from '../../api/standing.ts'
import { writeEuros } from '../../format/figures.ts'
import { Figure } from '../../parts/figure.tsx'
import { useSpeech, useWords } from '../../words/language.tsx'
import { homeWords } from './words.ts'

export function MoneyFigures({ standing }: { readonly standing: Standing }) {
  const words = useWords(homeWords)
  const { locale } = useSpeech()
  const { account, ceiling } = standing
  const euros = (text: string): string => writeEuros(text, locale)
  const isHeld = Number(account.held_eur) !== 0
  const spent = euros(account.spent_today_eur)
  return (
    <dl className="grid grid-cols-[minmax(0,1fr)] gap-6 sm:grid-cols-2">
      <Figure name={words.balance} value={euros(account.balance_eur)}>
        {isHeld ? words.held(euros(account.held_eur)) : words.nothingHeld}
      </Figure>
      {ceiling.eur === null || ceiling.left_eur === null ? (
        <Figure name={words.ceiling} value={words.noCeiling}>
          {words.spentToday(spent)}
        </Figure>
      ) : (
        <Figure name={words.ceiling} value={euros(ceiling.left_eur)}>
          {words.spent(spent, euros(ceiling.eur))}
        </Figure>
      )}
    </dl>
  )
}
