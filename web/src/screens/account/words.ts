import { defineWords } from '../../words/define-words.ts'

export const accountWords = defineWords({
  en: { title: 'Account & security' },
  pt: { title: 'Conta e segurança' },
})
