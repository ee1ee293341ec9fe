import { checkFields, RULES } from './check-fields.ts'
import { renderCheckMail } from './check-mail-page.ts'
import { describeApiProblem } from './describe-api-problem.ts'
import { rememberNext } from './go-on.ts'
import type { Page } from './page.ts'
import { renderDeadLink } from './verify-email-page.ts'

/** Sends the link that confirms an address once more. */
export const resendPage: Page = {
  url: '/verify-email/resend',
  get: async () => ({ kind: 'redirect', to: '/sign-in' }),
  async post(visit, form) {
    const email = form.text('email').trim()
    const problems = checkFields(form, { email: RULES.email }, visit.words)
    if (problems.length > 0) return renderDeadLink(visit, { email, problems, status: 422 })
    // As nobody: what it answers then says nothing of the address.
    const answer = await visit.callApi({
      path: '/send-verification-email',
      body: { email },
      as: 'none',
    })
    const state = { email, reason: 'verify' } as const
    if (answer.isOk) {
      rememberNext(visit)
      return renderCheckMail(visit, { ...state, notice: visit.words.checkMail.sentAgain })
    }
    const problem = describeApiProblem(answer, visit.words, [])
    return renderCheckMail(visit, { ...state, problems: [problem], status: answer.status })
  },
}
