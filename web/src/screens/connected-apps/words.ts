import { defineWords } from '../../words/define-words.ts'

export const connectedAppsWords = defineWords({
  en: { title: 'Connected apps' },
  pt: { title: 'Aplicações ligadas' },
})
