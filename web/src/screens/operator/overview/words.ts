import { defineWords } from '../../../words/define-words.ts'

export const overviewWords = defineWords({
  en: { title: 'Operator' },
  pt: { title: 'Operador' },
})
