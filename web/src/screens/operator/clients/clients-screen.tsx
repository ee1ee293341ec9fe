import { Page } from '../../../parts/page.tsx'
import { useWords } from '../../../words/language.tsx'
import { clientsWords } from './words.ts'

export function ClientsScreen() {
  const words = useWords(clientsWords)
  return <Page title={words.title}>{null}</Page>
}
