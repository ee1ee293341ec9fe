import type { FastifyReply } from 'fastify'
import type { AuthorizationProblem } from '#identity/index.ts'
import { renderErrorPage } from './error-page.ts'
import { readLanguage } from './visitor-language.ts'
import { WORDS, type Words } from './languages.ts'

/** An error of the OpenID provider that no app can be told, for whoever was sent here with it. */
export function sendOpenIdError(reply: FastifyReply, problem: AuthorizationProblem): FastifyReply {
  const { request } = reply
  const { status, error, description } = problem
  const language = readLanguage(request)
  const { faults } = WORDS[language]
  const isOurs = status >= 500
  const page = renderErrorPage({
    status,
    language,
    requestId: request.id,
    title: isOurs ? faults.title : faults.appTitle,
    text: isOurs ? faults.text : describeReason(error, faults),
    details: isOurs ? undefined : [error, description].filter(Boolean).join(': '),
  })
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(page)
}

function describeReason(error: string, faults: Words['faults']): string {
  if (error === 'invalid_client') return `${faults.unknownApp} ${faults.appText}`
  if (error === 'invalid_redirect_uri') return `${faults.wrongAddress} ${faults.appText}`
  return faults.appText
}
