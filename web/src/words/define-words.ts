export const LANGUAGES = ['en', 'pt'] as const
export type Language = (typeof LANGUAGES)[number]

/** Whose spelling and whose calendar each one is, as in the pages where people sign in. */
export const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', pt: 'pt-PT' }
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: 'English',
  pt: 'Português',
}

/** The same words in another language: the same names, texts where there are texts. */
export type Translation<Dictionary> = {
  readonly [Name in keyof Dictionary]: Dictionary[Name] extends string
    ? string
    : Dictionary[Name] extends (...given: infer Given) => string
      ? (...given: Given) => string
      : Translation<Dictionary[Name]>
}

export type Words<Dictionary> = Readonly<Record<Language, Translation<Dictionary>>>

/** What a screen says, in every language: a text that is missing in one does not compile. */
export function defineWords<const Dictionary>(words: {
  readonly en: Dictionary
  readonly pt: NoInfer<Translation<Dictionary>>
}): Words<Dictionary> {
  return words as Words<Dictionary>
}
