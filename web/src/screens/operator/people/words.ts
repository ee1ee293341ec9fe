import { defineWords } from '../../../words/define-words.ts'

export const peopleWords = defineWords({
  en: { title: 'People' },
  pt: { title: 'Pessoas' },
})
