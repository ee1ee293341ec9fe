import { Page } from '../../parts/page.tsx'
import { useWords } from '../../words/language.tsx'
import { balanceWords } from './words.ts'

export function BalanceScreen() {
  const words = useWords(balanceWords)
  return <Page title={words.title}>{null}</Page>
}
