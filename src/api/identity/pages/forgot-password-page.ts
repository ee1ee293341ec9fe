import { checkFields, RULES } from './check-fields.ts'
import { renderCheckMail } from './check-mail-page.ts'
import { describeApiProblem } from './describe-api-problem.ts'
import { rememberNext, withNext } from './go-on.ts'
import { html } from '#platform/html.ts'
import type { Answer, Page, Visit } from './page.ts'
import { renderField, renderProblems, renderSubmit, type Problem } from './parts.ts'

export const forgotPasswordPage: Page = {
  url: '/forgot-password',
  get: async (visit) => render(visit, ''),
  async post(visit, form) {
    const email = form.text('email').trim()
    const problems = checkFields(form, { email: RULES.email }, visit.words)
    if (problems.length > 0) return render(visit, email, problems, 422)
    const answer = await visit.callApi({ path: '/request-password-reset', body: { email } })
    if (!answer.isOk) {
      const problem = describeApiProblem(answer, visit.words, ['email'])
      return render(visit, email, [problem], answer.status)
    }
    rememberNext(visit)
    return renderCheckMail(visit, { email, reason: 'reset' })
  },
}

function render(
  visit: Visit,
  email: string,
  problems: readonly Problem[] = [],
  status = 200,
): Answer {
  const { words } = visit
  const { forgot, common } = words
  const field = {
    name: 'email',
    label: common.email,
    type: 'email',
    autocomplete: 'username',
    value: email,
  } as const
  const main = html`<h1>${forgot.title}</h1>
    <p class="lead">${forgot.text}</p>
    ${renderProblems(problems, words)}
    <form method="post" novalidate>
      ${renderField(field, problems, words)} ${renderSubmit(forgot.submit)}
    </form>
    <p class="below"><a href="${withNext('/sign-in', visit)}">${common.backToSignIn}</a></p>`
  return { kind: 'page', title: forgot.title, main, status, hasProblems: problems.length > 0 }
}
