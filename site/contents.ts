import type { Language } from './words.ts'

/** One page: its Markdown is docs/<name>.md, and docs/pt/<name>.md, and its address /docs/<name>. */
export interface Chapter {
  readonly title: Readonly<Record<Language, string>>
  readonly pages: readonly string[]
  /** What only operators read stays with the address of their own machine. */
  readonly isForOperators?: boolean
}

/** What a reader finds at /docs, in its order. */
export const CHAPTERS: readonly Chapter[] = [
  {
    title: { en: 'Start', pt: 'Começar' },
    pages: ['README', 'quickstart', 'local-model'],
  },
  {
    title: { en: 'Calling the models', pt: 'Chamar os modelos' },
    pages: [
      'authentication',
      'streaming',
      'tools',
      'reasoning',
      'errors',
      'rate-limits',
      'billing',
      'clients',
      'versioning',
    ],
  },
  {
    title: { en: 'People and apps', pt: 'Pessoas e aplicações' },
    pages: ['members', 'sign-in'],
  },
  {
    title: { en: 'Operating', pt: 'Operar' },
    isForOperators: true,
    pages: [
      'operate/deploy',
      'operate/configuration',
      'upstreams',
      'operate/console',
      'operate/personal-data',
      'operate/identity',
      'operate/payments',
      'operate/alerts',
      'operate/doctor',
      'operate/monitor',
      'operate/backup',
      'operate/upgrade',
      'operate/replicas',
      'operate/migrate',
      'operate/scale',
      'operate/limits',
      'operate/performance',
      'operate/runbooks',
    ],
  },
]

/** Pages that are not in docs/<name>.md, by their place in the repository. English alone. */
export const APPENDIX: Readonly<Record<string, string>> = {
  'CHANGELOG.md': 'changelog',
  'SECURITY.md': 'security',
}
