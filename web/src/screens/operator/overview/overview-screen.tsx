import { Page } from '../../../parts/page.tsx'
import { useWords } from '../../../words/language.tsx'
import { overviewWords } from './words.ts'

export function OverviewScreen() {
  const words = useWords(overviewWords)
  return <Page title={words.title}>{null}</Page>
}
