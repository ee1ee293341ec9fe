import { en } from './words/en.ts'
import { pt } from './words/pt.ts'

/** All that the pages say, in one language. Every language says all of it. */
export type Words = typeof en

export const LANGUAGES = ['en', 'pt'] as const
export type Language = (typeof LANGUAGES)[number]

export const WORDS: Readonly<Record<Language, Words>> = { en, pt }

/** Whose spelling and whose calendar each one is: we write as Great Britain and Portugal do. */
export const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', pt: 'pt-PT' }

/** What each language calls itself. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: 'English',
  pt: 'Português',
}
