import { existsSync, globSync } from 'node:fs'
import { APPENDIX, CHAPTERS } from './contents.ts'
import { LANGUAGES, type Language } from './words.ts'

/** The top of the repository. */
export const ROOT = new URL('..', import.meta.url).pathname

export interface PageSource {
  /** From the top of the repository, e.g. "docs/pt/operate/limits.md". */
  readonly path: string
  readonly language: Language
  /** Below /docs, e.g. "/docs/pt/operate/limits". */
  readonly address: string
  /** The same page's addresses, where it is in more than one language. */
  readonly twins: Readonly<Partial<Record<Language, string>>>
  readonly isForOperators: boolean
}

/** Every page, those of the contents in their order, first in English. */
export function listPages(): PageSource[] {
  return [...LANGUAGES.flatMap(listChapters), ...listAppendix()]
}

function listChapters(language: Language): PageSource[] {
  return CHAPTERS.flatMap(({ pages, isForOperators = false }) =>
    pages.map((name) => ({
      path: `docs/${language === 'en' ? '' : `${language}/`}${name}.md`,
      language,
      address: toAddress(name, language),
      twins: Object.fromEntries(LANGUAGES.map((one) => [one, toAddress(name, one)])),
      isForOperators,
    })),
  )
}

/** Why it is as it is, what changed, and what is defended. */
function listAppendix(): PageSource[] {
  const decisions = globSync('docs/decisions/*.md', { cwd: ROOT }).toSorted()
  const entries = [
    ...Object.entries(APPENDIX).map(([path, name]) => [path, `/docs/${name}`] as const),
    ...decisions.map((path) => [path, toAddress(path.slice('docs/'.length, -3), 'en')] as const),
  ]
  return entries
    .filter(([path]) => existsSync(ROOT + path))
    .map(([path, address]) => ({
      path,
      language: 'en' as const,
      address,
      twins: {},
      isForOperators: true,
    }))
}

export function toAddress(name: string, language: Language): string {
  const top = language === 'en' ? '/docs' : `/docs/${language}`
  const rest = name.replace(/(^|\/)README$/, '')
  return rest === '' ? top : `${top}/${rest}`
}

/** The same page for programs, and for people who read Markdown. */
export function toMarkdownAddress({ path, address }: PageSource): string {
  return path.endsWith('/README.md') ? `${address}/README.md` : `${address}.md`
}
