import { defineWords } from '../../../words/define-words.ts'

export const paymentsWords = defineWords({
  en: {
    title: 'Payments',
    intro: 'Money that people pay in, and what goes back.',
    topups: 'Top-ups',
    account: 'Account id',
    accountHint: 'Such as acc_019e…; its page shows it.',
    reconcile: {
      title: 'Comparison with the provider',
      text: 'Asks the provider for all its payments of the last days and compares them with the books. Nothing is changed.',
      days: 'Days back',
      daysWrong: 'Give a number from 1 to 399.',
      act: 'Compare',
      running: 'Asking the provider…',
      good: 'Provider and books agree.',
      bad: (count: string) => `Provider and books differ: ${count} found.`,
      since: 'Compared since',
      differences: 'Differences',
    },
  },
  pt: {
    title: 'Pagamentos',
    intro: 'O dinheiro que as pessoas pagam, e o que lhes volta.',
    topups: 'Carregamentos',
    account: 'Id da conta',
    accountHint: 'Por exemplo acc_019e…; a página da conta mostra-o.',
    reconcile: {
      title: 'Comparação com o prestador',
      text: 'Pede ao prestador todos os seus pagamentos dos últimos dias e compara-os com os livros. Nada é alterado.',
      days: 'Dias para trás',
      daysWrong: 'Indique um número de 1 a 399.',
      act: 'Comparar',
      running: 'A perguntar ao prestador…',
      good: 'O prestador e os livros estão de acordo.',
      bad: (count: string) => `O prestador e os livros divergem: ${count} encontradas.`,
      since: 'Comparado desde',
      differences: 'Divergências',
    },
  },
})
