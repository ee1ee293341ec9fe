import { checkFields, RULES } from './check-fields.ts'
import { describeApiProblem } from './describe-api-problem.ts'
import { html } from '#platform/html.ts'
import type { Answer, Page, Visit } from './page.ts'
import { readToken } from './read-token.ts'
import { renderField, renderProblems, renderSubmit, type Problem } from './parts.ts'

/** Where the link leads that was sent to who forgot their password. */
export const resetPasswordPage: Page = {
  url: '/reset-password',
  async get(visit) {
    return readToken(visit.query) ? render(visit) : renderGone(visit)
  },
  async post(visit, form) {
    const token = readToken(visit.query)
    if (token === undefined) return renderGone(visit)
    const problems = checkFields(form, { password: RULES.newPassword }, visit.words)
    if (problems.length > 0) return render(visit, problems, 422)
    const body = { newPassword: form.text('password'), token }
    const answer = await visit.callApi({ path: '/reset-password', body })
    if (answer.isOk) return { kind: 'redirect', to: '/sign-in?notice=reset' }
    if (['INVALID_TOKEN', 'USER_NOT_FOUND'].includes(answer.code ?? '')) return renderGone(visit)
    const problem = describeApiProblem(answer, visit.words, ['password'])
    return render(visit, [problem], answer.status)
  },
}

function render({ words }: Visit, problems: readonly Problem[] = [], status = 200): Answer {
  const { reset, signUp } = words
  const field = {
    name: 'password',
    label: reset.password,
    type: 'password',
    autocomplete: 'new-password',
    hint: signUp.passwordRule,
  } as const
  const main = html`<h1>${reset.title}</h1>
    <p class="lead">${reset.text}</p>
    ${renderProblems(problems, words)}
    <form method="post" novalidate>
      ${renderField(field, problems, words)} ${renderSubmit(reset.submit)}
    </form>`
  return { kind: 'page', title: reset.title, main, status, hasProblems: problems.length > 0 }
}

function renderGone({ words }: Visit): Answer {
  const { reset, verifyEmail } = words
  const main = html`<h1>${verifyEmail.goneTitle}</h1>
    <p class="lead">${reset.goneText}</p>
    <p><a class="button main-action" href="/forgot-password">${reset.again}</a></p>`
  return { kind: 'page', title: verifyEmail.goneTitle, main, status: 410 }
}
