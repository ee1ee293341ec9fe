import { defineWords } from '../../../words/define-words.ts'

export const operatorAccountWords = defineWords({
  en: { title: 'Account' },
  pt: { title: 'Conta' },
})
