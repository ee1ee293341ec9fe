import { Page } from '../../parts/page.tsx'
import { useWords } from '../../words/language.tsx'
import { keysWords } from './words.ts'

export function KeysScreen() {
  const words = useWords(keysWords)
  return <Page title={words.title}>{null}</Page>
}
