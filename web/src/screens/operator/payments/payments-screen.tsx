import { Page } from '../../../parts/page.tsx'
import { useWords } from '../../../words/language.tsx'
import { paymentsWords } from './words.ts'

export function PaymentsScreen() {
  const words = useWords(paymentsWords)
  return <Page title={words.title}>{null}</Page>
}
