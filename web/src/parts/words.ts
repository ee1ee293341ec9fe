import { defineWords } from '../words/define-words.ts'

export const partWords = defineWords({
  en: {
    loading: 'Loading…',
    tryAgain: 'Try again',
    request: 'Request',
    problems: {
      offline: 'The service cannot be reached. Check your connection.',
      unreadable: 'The service gave an answer that the console cannot read.',
      forbidden: 'You may not see this.',
      missing: 'There is nothing here, or no more.',
      later: (seconds: string) => `Too often. Try again in ${seconds} s.`,
      broken: 'Something went wrong in the console itself. Load the page again.',
    },
    copy: 'Copy',
    copied: 'Copied',
    copyFailed: 'Mark it and copy by hand',
    close: 'Close',
    cancel: 'Cancel',
    more: 'Show more',
  },
  pt: {
    loading: 'A carregar…',
    tryAgain: 'Tentar de novo',
    request: 'Pedido',
    problems: {
      offline: 'Não é possível chegar ao serviço. Verifique a sua ligação.',
      unreadable: 'O serviço deu uma resposta que a consola não sabe ler.',
      forbidden: 'Não pode ver isto.',
      missing: 'Não há nada aqui, ou deixou de haver.',
      later: (seconds: string) => `Demasiadas vezes. Tente de novo dentro de ${seconds} s.`,
      broken: 'Algo correu mal na própria consola. Carregue a página de novo.',
    },
    copy: 'Copiar',
    copied: 'Copiado',
    copyFailed: 'Selecione e copie à mão',
    close: 'Fechar',
    cancel: 'Cancelar',
    more: 'Mostrar mais',
  },
})
