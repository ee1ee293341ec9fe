import { defineWords } from '../../words/define-words.ts'

export const homeWords = defineWords({
  en: { title: 'Home', balance: 'Balance', held: 'Held for requests under way', tier: 'Tier' },
  pt: { title: 'Início', balance: 'Saldo', held: 'Reservado para pedidos em curso', tier: 'Nível' },
})
