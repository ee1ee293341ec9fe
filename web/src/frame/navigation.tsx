import { Link, useLocation } from '@tanstack/react-router'
import type { Person } from '../api/own.ts'
import { useMayOpen } from '../api/screen-rights.ts'
import { LANGUAGE_NAMES, LANGUAGES } from '../words/define-words.ts'
import { useSpeech, useWords } from '../words/language.tsx'
import { AccountChoice } from './account-choice.tsx'
import { BalanceLink } from './balance-link.tsx'
import { Brand } from './brand.tsx'
import { OPERATOR_LINKS, SCREEN_LINKS } from './screen-links.ts'
import { frameWords } from './words.ts'

/** Beside the screen where there is room; behind a button at the top of a phone. */
export function Navigation({ person }: { readonly person: Person }) {
  const words = useWords(frameWords)
  const { pathname } = useLocation()
  return (
    <>
      <header className="sticky top-0 z-10 flex items-start justify-between gap-4 border-b border-line bg-paper px-4 py-3 md:hidden">
        <Brand />
        {/* On another screen it is another one, which is shut. */}
        <details key={pathname}>
          <summary className="list-none rounded-lg border border-edge px-3 py-1.5 font-medium">
            {words.menu}
          </summary>
          <div className="absolute inset-x-0 top-full max-h-[80dvh] overflow-y-auto border-b border-line bg-card p-4 shadow-lg">
            <Links person={person} />
          </div>
        </details>
      </header>
      <div className="sticky top-0 hidden h-dvh flex-col gap-8 overflow-y-auto border-r border-line px-5 py-8 md:flex">
        <Brand />
        <Links person={person} />
      </div>
    </>
  )
}

function Links({ person }: { readonly person: Person }) {
  const words = useWords(frameWords)
  const { language } = useSpeech()
  const isOperator = person.role === 'operator'
  const mayOpen = useMayOpen()
  const own = SCREEN_LINKS.filter(({ to }) => mayOpen(to))
  const links = isOperator ? [...own, ...OPERATOR_LINKS] : own
  return (
    <div className="flex grow flex-col justify-between gap-8">
      <nav aria-label={words.navigation}>
        <ul className="flex flex-col gap-1">
          {links.map(({ to, name }) => (
            <li key={to}>
              <Link
                to={to}
                activeOptions={{ exact: to === '/console' }}
                className="block rounded-lg px-3 py-2 hover:bg-tint"
                activeProps={{ className: 'bg-tint font-semibold text-accent-strong' }}
              >
                {words.screens[name]}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className="flex flex-col gap-4 text-sm">
        <AccountChoice />
        <BalanceLink />
        <p className="wrap-anywhere text-soft">{person.email}</p>
        <LanguageChoice />
        <a
          href={language === 'pt' ? '/docs/pt' : '/docs'}
          className="self-start text-accent underline underline-offset-4"
        >
          {words.documentation}
        </a>
        <a href="/sign-out" className="self-start text-accent underline underline-offset-4">
          {words.signOut}
        </a>
      </div>
    </div>
  )
}

function LanguageChoice() {
  const { language, speak } = useSpeech()
  const words = useWords(frameWords)
  return (
    <div role="group" aria-label={words.language} className="flex gap-1">
      {LANGUAGES.map((one) => (
        <button
          key={one}
          type="button"
          lang={one}
          aria-pressed={one === language}
          onClick={() => speak(one)}
          className="min-h-8 rounded-lg border border-transparent px-2 text-soft aria-pressed:border-edge aria-pressed:text-ink"
        >
          {LANGUAGE_NAMES[one]}
        </button>
      ))}
    </div>
  )
}
