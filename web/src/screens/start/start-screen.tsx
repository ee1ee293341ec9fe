import { Page } from '../../parts/page.tsx'
import { useWords } from '../../words/language.tsx'
import { startWords } from './words.ts'

export function StartScreen() {
  const words = useWords(startWords)
  return <Page title={words.title}>{null}</Page>
}
