import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Fault } from '#platform/fault.ts'
import { FAULTS } from '../../contract/index.ts'
import type { UnroutedPlace } from '../../http/refuse-unrouted.ts'
import type { IdentityApiOptions } from '../identity-api.ts'
import { isFromOwnPage } from '../is-from-own-page.ts'
import { accountActions } from './account-actions.ts'
import { accountPage } from './account-page.ts'
import { findAsset } from './assets.ts'
import { changeEmailPage } from './change-email-page.ts'
import { codePage } from './code-page.ts'
import { createVisit } from './create-visit.ts'
import { describeFault, renderErrorPage } from './error-page.ts'
import { forgotPasswordPage } from './forgot-password-page.ts'
import { homePage } from './home-page.ts'
import { interactionPage } from './interaction-page.ts'
import { invitationPage } from './invitation-page.ts'
import { WORDS } from './languages.ts'
import type { Page } from './page.ts'
import { linkPage } from './link-page.ts'
import { readForm } from './read-form.ts'
import { resendPage } from './resend-page.ts'
import { resetPasswordPage } from './reset-password-page.ts'
import { sendAnswer } from './send-answer.ts'
import { signInPage } from './sign-in-page.ts'
import { signOutPage } from './sign-out-page.ts'
import { signUpPage } from './sign-up-page.ts'
import { verifyEmailPage } from './verify-email-page.ts'
import { readLanguage } from './visitor-language.ts'

const PAGES: readonly Page[] = [
  homePage,
  signInPage,
  codePage,
  signUpPage,
  verifyEmailPage,
  resendPage,
  changeEmailPage,
  forgotPasswordPage,
  resetPasswordPage,
  signOutPage,
  linkPage,
  invitationPage,
  interactionPage,
  accountPage,
  ...accountActions,
]

/** More no form of ours has. */
const MAX_FORM_BYTES = 16 * 1_024

/** The pages where people sign in and consent. Each works without a script. */
export function registerPages(server: FastifyInstance, options: IdentityApiOptions): void {
  const config = { presentFault }
  void server.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      '*',
      { parseAs: 'string', bodyLimit: MAX_FORM_BYTES },
      (_request, body, done) => done(null, body),
    )
    const pages = [...PAGES, ...options.pages]
    for (const page of pages) {
      scope.get(page.url, { config }, async (request, reply) => {
        const visit = await createVisit(options, request, reply)
        return sendAnswer(visit, await page.get(visit))
      })
      const { post } = page
      if (!post) continue
      scope.post(page.url, { config }, async (request, reply) => {
        const form = readForm(readBody(request, options.identity.issuer))
        const visit = await createVisit(options, request, reply, form)
        return sendAnswer(visit, await post(visit, form))
      })
    }
  })
  server.get('/assets/:file', (request, reply) => {
    const asset = findAsset(request.url)
    if (!asset) throw new Fault('not_found', 'There is nothing at this address.')
    return reply
      .type(asset.type)
      .header('cache-control', 'public, max-age=31536000, immutable')
      .send(asset.bytes)
  })
}

const firstPiece = (path: string): string => path.split('/', 2).join('/')

/** What is at or below the pages and is none: whoever mistypes an address reads a page, not JSON. */
export function describeBelowPages(others: readonly Page[]): UnroutedPlace {
  // All but the name alone, below which everything is.
  const pages = [...PAGES, ...others].filter((page) => page !== homePage)
  const tops = new Set(pages.map(({ url }) => firstPiece(url)))
  return { has: (path) => tops.has(firstPiece(path)), presentFault }
}

/** Refuses what no page of ours sent: nobody is signed in, or out, by somebody else's page. */
function readBody(request: FastifyRequest, issuer: string): string {
  if (!isFromOwnPage(request, issuer)) {
    throw new Fault('invalid_request', 'body: must be sent by the page itself')
  }
  const type = request.sentType?.split(';', 1)[0]?.trim().toLowerCase()
  const { body } = request
  if (type !== 'application/x-www-form-urlencoded') {
    // A form without fields has no body, and then no type.
    if (body === undefined || body === '') return ''
    throw new Fault('invalid_request', 'body: must be a form')
  }
  return typeof body === 'string' ? body : ''
}

/** Faults on pages are read by people. */
function presentFault(reply: FastifyReply, fault: Fault): FastifyReply {
  const { request } = reply
  const language = readLanguage(request)
  const { status } = FAULTS[fault.code]
  const described = describeFault(fault, WORDS[language])
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(renderErrorPage({ status, language, requestId: request.id, ...described }))
}
