import { createContext, use, useMemo, useState, type ReactNode } from 'react'
import { LANGUAGES, LOCALES, type Language, type Translation, type Words } from './define-words.ts'

export interface Speech {
  readonly language: Language
  /** For `Intl`. */
  readonly locale: string
  speak(language: Language): void
}

const SpeechContext = createContext<Speech | undefined>(undefined)

/** The service has chosen by cookie and browser, and says so in the document. */
export function LanguageProvider({ children }: { readonly children: ReactNode }) {
  const [language, setLanguage] = useState(readDocumentLanguage)
  const speech = useMemo<Speech>(
    () => ({
      language,
      locale: LOCALES[language],
      speak(wanted) {
        document.documentElement.lang = LOCALES[wanted]
        setLanguage(wanted)
        void remember(wanted)
      },
    }),
    [language],
  )
  return <SpeechContext value={speech}>{children}</SpeechContext>
}

function readDocumentLanguage(): Language {
  const [primary] = document.documentElement.lang.split('-', 1)
  return LANGUAGES.find((language) => language === primary) ?? 'en'
}

/** The cookie is the pages' own, out of reach for scripts; the service sets it when it is asked. */
async function remember(language: Language): Promise<void> {
  await fetch(`/console?lang=${language}`).catch(() => undefined)
}

export function useSpeech(): Speech {
  const speech = use(SpeechContext)
  if (!speech) throw new Error('there is no LanguageProvider above')
  return speech
}

export function useWords<Dictionary>(words: Words<Dictionary>): Translation<Dictionary> {
  return words[useSpeech().language]
}
