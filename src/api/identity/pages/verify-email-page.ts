import { describeApiProblem } from './describe-api-problem.ts'
import { html } from '#platform/html.ts'
import type { Answer, Page, Visit } from './page.ts'
import { readToken } from './read-token.ts'
import { renderField, renderProblems, renderSubmit, type Problem } from './parts.ts'

/**
 * Where the link in a mail leads. Opening it does nothing yet: mail programs open links too, and must
 * not use them up.
 */
export const verifyEmailPage: Page = {
  url: '/verify-email',
  async get(visit) {
    return readToken(visit.query) ? renderButton(visit) : renderDeadLink(visit, { status: 410 })
  },
  async post(visit) {
    const token = readToken(visit.query)
    if (token === undefined) return renderDeadLink(visit, { status: 410 })
    const answer = await visit.callApi({ path: `/verify-email?token=${token}` })
    if (answer.isOk) return { kind: 'redirect', to: '/sign-in?notice=verified' }
    if (answer.status < 429) return renderDeadLink(visit, { status: 410 })
    return renderButton(visit, describeApiProblem(answer, visit.words, []))
  },
}

function renderButton({ words }: Visit, problem?: Problem): Answer {
  const { verifyEmail } = words
  const problems = problem ? [problem] : []
  const main = html`<h1>${verifyEmail.title}</h1>
    ${renderProblems(problems, words)}
    <p class="lead">${verifyEmail.text}</p>
    <form method="post">${renderSubmit(verifyEmail.submit)}</form>`
  const status = problem ? 429 : 200
  return { kind: 'page', title: verifyEmail.title, main, status, hasProblems: problems.length > 0 }
}

export interface DeadLink {
  readonly status: number
  readonly email?: string
  readonly problems?: readonly Problem[]
}

/** With a way to a new one. */
export function renderDeadLink({ words }: Visit, state: DeadLink): Answer {
  const { verifyEmail, signIn, common } = words
  const { status, email = '', problems = [] } = state
  const field = {
    name: 'email',
    label: common.email,
    type: 'email',
    autocomplete: 'username',
    value: email,
  } as const
  const main = html`<h1>${verifyEmail.goneTitle}</h1>
    ${renderProblems(problems, words)}
    <p class="lead">${verifyEmail.goneText}</p>
    <p><a class="button main-action" href="/sign-in">${signIn.submit}</a></p>
    <form method="post" action="/verify-email/resend" novalidate class="second">
      <p>${verifyEmail.resendText}</p>
      ${renderField(field, problems, words)}
      <button type="submit">${signIn.resend}</button>
    </form>`
  return {
    kind: 'page',
    title: verifyEmail.goneTitle,
    main,
    status,
    hasProblems: problems.length > 0,
  }
}
