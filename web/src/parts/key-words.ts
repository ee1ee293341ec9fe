import { defineWords } from '../words/define-words.ts'

export const keyWords = defineWords({
  en: {
    shownOnce:
      'This is the only time that the whole key is shown. Keep it where nobody else reads.',
    theKey: 'API key',
    copyKey: 'Copy key',
    envFile: 'Line for your .env file',
    copyLine: 'Copy line',
    stored: 'I stored the key',
    command: 'First command with it',
    copyCommand: 'Copy command',
  },
  pt: {
    shownOnce:
      'Esta é a única vez que a chave é mostrada por inteiro. Guarde-a onde mais ninguém leia.',
    theKey: 'Chave de API',
    copyKey: 'Copiar chave',
    envFile: 'Linha para o ficheiro .env',
    copyLine: 'Copiar linha',
    stored: 'Guardei a chave',
    command: 'Primeiro comando com ela',
    copyCommand: 'Copiar comando',
  },
})
