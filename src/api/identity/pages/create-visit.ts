import type { FastifyReply, FastifyRequest } from 'fastify'
import { findSession } from '../find-session.ts'
import type { IdentityApiOptions } from '../identity-api.ts'
import { callApi } from './call-api.ts'
import { chooseLanguage, toLanguage, type LanguageSigns } from './choose-language.ts'
import { WORDS } from './languages.ts'
import type { Visit, VisitCookies } from './page.ts'
import type { Form } from './read-form.ts'
import { readNext } from './read-next.ts'
import { createVisitCookies } from './visit-cookies.ts'

const YEAR_S = 31_536_000

/** Everything that a page may want to know of who is there. */
export async function createVisit(
  { identity, persons, members, wallet }: IdentityApiOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  form?: Form,
): Promise<Visit> {
  const { issuer } = identity
  const loaded = await identity.load()
  const { people } = loaded
  const query = new URL(request.url, issuer).searchParams
  const cookies = createVisitCookies(request, reply, issuer)
  const signs = readSigns(request, query, cookies)
  const language = chooseLanguage(signs)
  if (signs.asked !== undefined) cookies.keep('language', signs.asked, YEAR_S)
  return {
    ...loaded,
    request,
    reply,
    issuer,
    identity,
    persons,
    members,
    wallet,
    language,
    words: WORDS[language],
    query,
    cookies,
    next:
      readNext(query.get('next')) ?? readNext(form?.text('next')) ?? readNext(cookies.read('next')),
    findSession: () => findSession(identity, request, reply),
    async callApi(call) {
      const answer = await callApi({ people, issuer, request, language }, call)
      for (const cookie of answer.cookies) reply.header('set-cookie', cookie)
      return answer
    },
    speak(locales) {
      const isOwn = signs.asked !== undefined || signs.chosen !== undefined
      const isSuggested = !isOwn && locales.some((locale) => toLanguage(locale) !== undefined)
      return { language: isSuggested ? chooseLanguage({ locales }) : language, isSuggested }
    },
  }
}

/** The cookie has a language that its reader chose ("pt"), or that an app suggests ("app.pt"). */
function readSigns(
  { headers }: FastifyRequest,
  query: URLSearchParams,
  cookies: VisitCookies,
): LanguageSigns {
  const [first, second] = cookies.read('language')?.split('.', 2) ?? []
  const isSuggested = first === 'app'
  const locales = query.get('ui_locales')?.split(' ') ?? []
  return {
    asked: toLanguage(query.get('lang') ?? undefined),
    chosen: isSuggested ? undefined : toLanguage(first),
    locales: isSuggested && second !== undefined ? [...locales, second] : locales,
    accepted: headers['accept-language'],
  }
}
