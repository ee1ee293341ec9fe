import { Page } from '../../../parts/page.tsx'
import { useWords } from '../../../words/language.tsx'
import { accountsWords } from './words.ts'

export function AccountsScreen() {
  const words = useWords(accountsWords)
  return <Page title={words.title}>{null}</Page>
}
