import { defineWords } from '../../words/define-words.ts'

export const balanceWords = defineWords({
  en: { title: 'Balance' },
  pt: { title: 'Saldo' },
})
