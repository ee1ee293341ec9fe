import { Page } from '../../parts/page.tsx'
import { useWords } from '../../words/language.tsx'
import { connectedAppsWords } from './words.ts'

export function ConnectedAppsScreen() {
  const words = useWords(connectedAppsWords)
  return <Page title={words.title}>{null}</Page>
}
