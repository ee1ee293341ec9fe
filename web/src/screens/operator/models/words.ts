import { defineWords } from '../../../words/define-words.ts'

export const modelsWords = defineWords({
  en: { title: 'Models' },
  pt: { title: 'Modelos' },
})
