import { html } from '#platform/html.ts'
import type { Answer, Visit } from './page.ts'
import { renderNotice, renderProblems, type Problem } from './parts.ts'
import { withNext } from './go-on.ts'

export interface CheckMail {
  readonly email: string
  readonly reason: 'verify' | 'reset'
  readonly notice?: string
  readonly problems?: readonly Problem[]
  readonly status?: number
}

const AGAIN = { verify: '/verify-email/resend', reset: '/forgot-password' } as const

/** The same for every address: none is told to have an account, nor to have none. */
export function renderCheckMail(visit: Visit, state: CheckMail): Answer {
  const { words, next } = visit
  const { checkMail, common } = words
  const { email, reason, notice, problems = [], status = 200 } = state
  const text =
    reason === 'verify'
      ? html`${checkMail.verifyBefore} <strong class="address">${email}</strong>.
          ${checkMail.verifyAfter}`
      : html`${checkMail.resetBefore} <strong class="address">${email}</strong>,
          ${checkMail.resetAfter}`
  const main = html`<h1>${checkMail.title}</h1>
    ${renderNotice(notice)} ${renderProblems(problems, words)}
    <p class="lead">${text}</p>
    <form method="post" action="${AGAIN[reason]}">
      <p>${checkMail.nothingCame}</p>
      <input type="hidden" name="email" value="${email}" />
      ${next !== undefined && html`<input type="hidden" name="next" value="${next}" />`}
      <button type="submit">${checkMail.again}</button>
    </form>
    <p class="below"><a href="${withNext('/sign-in', visit)}">${common.backToSignIn}</a></p>`
  return { kind: 'page', title: checkMail.title, main, status, hasProblems: problems.length > 0 }
}
