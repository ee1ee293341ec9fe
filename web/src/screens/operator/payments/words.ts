import { defineWords } from '../../../words/define-words.ts'

export const paymentsWords = defineWords({
  en: { title: 'Payments' },
  pt: { title: 'Pagamentos' },
})
