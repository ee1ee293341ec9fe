import { Page } from '../../parts/page.tsx'
import { useWords } from '../../words/language.tsx'
import { limitsWords } from './words.ts'

export function LimitsScreen() {
  const words = useWords(limitsWords)
  return <Page title={words.title}>{null}</Page>
}
