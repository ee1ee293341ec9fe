import { defineWords } from '../../words/define-words.ts'

export const requestsWords = defineWords({
  en: { title: 'Requests' },
  pt: { title: 'Pedidos' },
})
