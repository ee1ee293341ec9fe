import type { FastifyReply, FastifyRequest } from 'fastify'
import { chooseLanguage, toLanguage } from './choose-language.ts'
import type { Language } from './languages.ts'
import { createVisitCookies } from './visit-cookies.ts'

const YEAR_S = 31_536_000

/** The language of a visitor of whom only the request is known. */
export function readLanguage({ headers, url }: Pick<FastifyRequest, 'headers' | 'url'>): Language {
  const { cookie = '', 'accept-language': accepted } = headers
  const chosen = /(?:^|;\s*)(?:__Host-)?parley_language=(?:app\.)?(\w+)/.exec(cookie)?.[1]
  return chooseLanguage({ asked: readAsked(url), chosen, accepted })
}

/** Remembers the language that the address asks for. */
export function keepLanguage(
  request: Pick<FastifyRequest, 'headers' | 'url'>,
  reply: Pick<FastifyReply, 'header'>,
  issuer: string,
): void {
  const asked = toLanguage(readAsked(request.url))
  if (asked) createVisitCookies(request, reply, issuer).keep('language', asked, YEAR_S)
}

function readAsked(url: string): string | undefined {
  return /[?&]lang=(\w+)/.exec(url)?.[1]
}
