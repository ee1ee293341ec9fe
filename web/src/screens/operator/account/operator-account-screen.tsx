import { Page } from '../../../parts/page.tsx'
import { useWords } from '../../../words/language.tsx'
import { operatorAccountWords } from './words.ts'

export function OperatorAccountScreen() {
  const words = useWords(operatorAccountWords)
  return <Page title={words.title}>{null}</Page>
}
