import { Page } from '../../parts/page.tsx'
import { useWords } from '../../words/language.tsx'
import { requestsWords } from './words.ts'

export function RequestsScreen() {
  const words = useWords(requestsWords)
  return <Page title={words.title}>{null}</Page>
}
