import { Card } from '../../../parts/page.tsx'
import { useWords } from '../../../words/language.tsx'
import { OperatorPage } from '../operator-page.tsx'
import { useFilters } from '../use-filters.ts'
import { DayRange } from './day-range.tsx'
import { TransferList } from './transfer-list.tsx'
import { Verification } from './verification.tsx'
import { booksWords } from './words.ts'

export function BooksScreen() {
  const words = useWords(booksWords)
  const [{ from, to }, setFilters] = useFilters(['from', 'to'])
  return (
    <OperatorPage title={words.title} intro={words.intro}>
      <Verification />
      <Card title={words.transfers}>
        <div className="flex min-w-0 flex-col gap-4">
          <p className="max-w-prose text-soft">{words.transfersText}</p>
          <DayRange key={`${from} ${to}`} from={from} to={to} onChoose={setFilters} />
          <TransferList from={from} to={to} />
        </div>
      </Card>
    </OperatorPage>
  )
}
