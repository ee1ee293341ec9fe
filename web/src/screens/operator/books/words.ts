import { defineWords } from '../../../words/define-words.ts'

export const booksWords = defineWords({
  en: { title: 'Books' },
  pt: { title: 'Livros' },
})
