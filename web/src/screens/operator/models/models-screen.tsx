import { Page } from '../../../parts/page.tsx'
import { useWords } from '../../../words/language.tsx'
import { modelsWords } from './words.ts'

export function ModelsScreen() {
  const words = useWords(modelsWords)
  return <Page title={words.title}>{null}</Page>
}
