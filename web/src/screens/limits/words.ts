import { defineWords } from '../../words/define-words.ts'

export const limitsWords = defineWords({
  en: { title: 'Limits' },
  pt: { title: 'Limites' },
})
