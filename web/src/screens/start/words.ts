import { defineWords } from '../../words/define-words.ts'

export const startWords = defineWords({
  en: { title: 'First call' },
  pt: { title: 'Primeira chamada' },
})
