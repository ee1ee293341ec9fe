import { Page } from '../../parts/page.tsx'
import { useWords } from '../../words/language.tsx'
import { usageWords } from './words.ts'

export function UsageScreen() {
  const words = useWords(usageWords)
  return <Page title={words.title}>{null}</Page>
}
