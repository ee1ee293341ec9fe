import { defineWords } from '../../words/define-words.ts'

export const keysWords = defineWords({
  en: { title: 'API keys' },
  pt: { title: 'Chaves de API' },
})
