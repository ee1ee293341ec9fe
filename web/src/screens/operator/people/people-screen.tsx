import { Page } from '../../../parts/page.tsx'
import { useWords } from '../../../words/language.tsx'
import { peopleWords } from './words.ts'

export function PeopleScreen() {
  const words = useWords(peopleWords)
  return <Page title={words.title}>{null}</Page>
}
