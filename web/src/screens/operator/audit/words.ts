import { defineWords } from '../../../words/define-words.ts'

export const auditWords = defineWords({
  en: { title: 'Audit' },
  pt: { title: 'Auditoria' },
})
