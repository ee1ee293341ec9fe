import type { Language } from '../web/src/words/define-words.ts'

// The documentation speaks the languages of the console.
export { LANGUAGE_NAMES, LANGUAGES, LOCALES, type Language } from '../web/src/words/define-words.ts'

/** What stands around the pages. */
export type Words = typeof en

const en = {
  documentation: 'Documentation',
  skip: 'Skip to content',
  menu: 'Menu',
  contents: 'Contents',
  onThisPage: 'On this page',
  language: 'Language',
  reference: 'Reference',
  apiReference: 'API reference',
  changelog: 'Changelog',
  security: 'Security',
  decisions: 'Decisions',
  console: 'Console',
  search: 'Search',
  searchLabel: 'Search the documentation',
  searchTitle: 'Search',
  searchLead: 'Type what you look for. Without JavaScript, this is the list of all there is.',
  // Read by the script, from the field itself.
  found: '{count} found',
  foundOne: '1 found',
  foundNone: 'Nothing found. Try another word.',
  searchFailed: 'The search could not be loaded. Try again.',
  copy: 'Copy',
  copied: 'Copied',
  output: 'Output',
  table: 'Table',
  previous: 'Previous',
  next: 'Next',
  markdown: 'This page as Markdown',
} as const satisfies Readonly<Record<string, string>>

const pt = {
  documentation: 'Documentação',
  skip: 'Ir para o conteúdo',
  menu: 'Menu',
  contents: 'Índice',
  onThisPage: 'Nesta página',
  language: 'Idioma',
  reference: 'Referência',
  apiReference: 'Referência da API',
  changelog: 'Alterações',
  security: 'Segurança',
  decisions: 'Decisões',
  console: 'Consola',
  search: 'Pesquisar',
  searchLabel: 'Pesquisar na documentação',
  searchTitle: 'Pesquisa',
  searchLead: 'Escreva o que procura. Sem JavaScript, esta é a lista de tudo o que há.',
  found: '{count} resultados',
  foundOne: '1 resultado',
  foundNone: 'Nada encontrado. Tente outra palavra.',
  searchFailed: 'Não foi possível carregar a pesquisa. Tente de novo.',
  copy: 'Copiar',
  copied: 'Copiado',
  output: 'Resultado',
  table: 'Tabela',
  previous: 'Anterior',
  next: 'Seguinte',
  markdown: 'Esta página em Markdown',
} satisfies Readonly<Record<keyof typeof en, string>>

export const WORDS: Readonly<Record<Language, Readonly<Record<keyof Words, string>>>> = { en, pt }
