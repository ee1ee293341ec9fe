import { Page } from '../../parts/page.tsx'
import { useWords } from '../../words/language.tsx'
import { playgroundWords } from './words.ts'

export function PlaygroundScreen() {
  const words = useWords(playgroundWords)
  return <Page title={words.title}>{null}</Page>
}
