import { Page } from '../../../parts/page.tsx'
import { useWords } from '../../../words/language.tsx'
import { booksWords } from './words.ts'

export function BooksScreen() {
  const words = useWords(booksWords)
  return <Page title={words.title}>{null}</Page>
}
