import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Members, Persons } from '#accounts/index.ts'
import type { Identity, LoadedIdentity, Session } from '#identity/index.ts'
import type { Wallet } from '../../payments/wallet.ts'
import type { ApiAnswer, ApiCall } from './call-api.ts'
import type { SafeHtml } from '#platform/html.ts'
import type { Language, Words } from './languages.ts'
import type { Form } from './read-form.ts'

/** One page: what it shows, and what it does with the form that is sent to it. */
export interface Page {
  readonly url: string
  get(visit: Visit): Promise<Answer>
  post?(visit: Visit, form: Form): Promise<Answer>
}

/** What a page answers; how that becomes HTTP is said in one place. */
export type Answer =
  | {
      readonly kind: 'page'
      readonly title: string
      readonly main: SafeHtml
      readonly status?: number
      readonly hasProblems?: boolean
      /** To be printed: it has a style of its own besides. */
      readonly isPaper?: boolean
      /** Another language than the visit's, where an app suggests one. */
      readonly language?: Language
    }
  /** To one of our own pages. */
  | { readonly kind: 'redirect'; readonly to: string }
  /** To where a form must not be redirected: to an app, at the end. */
  | { readonly kind: 'onward'; readonly to: string }

/** Somebody at one of our pages. */
export interface Visit extends LoadedIdentity {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly issuer: string
  readonly identity: Identity
  readonly persons: Persons
  readonly members: Members
  readonly wallet: Wallet
  readonly language: Language
  readonly words: Words
  readonly query: URLSearchParams
  readonly cookies: VisitCookies
  /** Where to go on after signing in; undefined for nowhere in particular. */
  readonly next: string | undefined
  findSession(): Promise<Session | undefined>
  /** Calls the sign-in API as the page's visitor; the cookies that it sets are passed on. */
  callApi(call: ApiCall): Promise<ApiAnswer>
  /** The language where an app suggests these, and whether that is only its suggestion. */
  speak(locales: readonly string[]): { readonly language: Language; readonly isSuggested: boolean }
}

/** Small things that the pages remember in a browser. */
export interface VisitCookies {
  read(name: CookieName): string | undefined
  /** Without `maxAgeS` until the browser is closed. */
  keep(name: CookieName, value: string, maxAgeS?: number): void
  drop(name: CookieName): void
}

export type CookieName = 'language' | 'next'
