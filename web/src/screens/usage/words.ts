import { defineWords } from '../../words/define-words.ts'

export const usageWords = defineWords({
  en: { title: 'Usage' },
  pt: { title: 'Utilização' },
})
