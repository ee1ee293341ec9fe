import { Page } from '../../parts/page.tsx'
import { useWords } from '../../words/language.tsx'
import { accountWords } from './words.ts'

export function AccountScreen() {
  const words = useWords(accountWords)
  return <Page title={words.title}>{null}</Page>
}
