import { defineWords } from '../../../words/define-words.ts'

export const clientsWords = defineWords({
  en: { title: 'Apps' },
  pt: { title: 'Aplicações' },
})
