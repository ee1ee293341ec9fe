import { defineWords } from '../../words/define-words.ts'

export const playgroundWords = defineWords({
  en: { title: 'Playground' },
  pt: { title: 'Experimentar' },
})
