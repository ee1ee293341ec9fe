import { LANGUAGES, type Language } from './languages.ts'

/** All that says which language somebody reads, the strongest first. */
export interface LanguageSigns {
  /** Of the address (`?lang=`): a link that was just followed. */
  readonly asked?: string | undefined
  /** What they chose before. */
  readonly chosen?: string | undefined
  /** What the app that sent them suggests, best first (`ui_locales`). */
  readonly locales?: readonly string[]
  /** What the browser says, `Accept-Language`. */
  readonly accepted?: string | undefined
}

/** More than these nobody reads; a header of thousands must not cost us anything. */
const MAX_ACCEPTED = 20

/** A person's own choice is stronger than what an app suggests, and that than the browser's setting. */
export function chooseLanguage(signs: LanguageSigns): Language {
  const { asked, chosen, locales = [], accepted = '' } = signs
  const all = [asked, chosen, ...locales, ...listAccepted(accepted)]
  return all.map((one) => toLanguage(one)).find((one) => one !== undefined) ?? 'en'
}

/** "pt-BR" is read by who reads "pt". */
export function toLanguage(tag: string | undefined): Language | undefined {
  const [primary] = tag?.trim().toLowerCase().split(/[-_]/, 1) ?? []
  return LANGUAGES.find((language) => language === primary)
}

/** In the order of their weights (RFC 9110, 12.5.4); those of weight 0 are not wanted. */
function listAccepted(header: string): string[] {
  const weighed = header
    .split(',', MAX_ACCEPTED)
    .map((part) => {
      const [tag = '', weight] = part.split(/;\s*q=/i, 2)
      return { tag, weight: weight === undefined ? 1 : Number(weight) }
    })
    .filter(({ weight }) => weight > 0)
  return weighed.toSorted((a, b) => b.weight - a.weight).map(({ tag }) => tag)
}
