import { defineWords } from '../../../words/define-words.ts'

export const accountsWords = defineWords({
  en: { title: 'Accounts' },
  pt: { title: 'Contas' },
})
