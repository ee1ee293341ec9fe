import { describeApiProblem } from './describe-api-problem.ts'
import { html } from './html.ts'
import type { Answer, Page, Visit } from './page.ts'
import { renderProblems, renderSubmit, type Problem } from './parts.ts'
import { toApiPath } from './verify-email-page.ts'

/** Where the link leads that was sent to somebody's new address. */
export const changeEmailPage: Page = {
  url: '/change-email',
  async get(visit) {
    return visit.query.get('token') ? renderButton(visit) : renderGone(visit)
  },
  async post(visit) {
    const answer = await visit.callApi({ path: toApiPath(visit) })
    if (answer.isOk) return { kind: 'redirect', to: '/account?notice=emailChanged' }
    if (answer.status !== 429) return renderGone(visit)
    return renderButton(visit, describeApiProblem(answer, visit.words, []))
  },
}

function renderButton({ words }: Visit, problem?: Problem): Answer {
  const { changeEmail } = words
  const problems = problem ? [problem] : []
  const main = html`<h1>${changeEmail.title}</h1>
    ${renderProblems(problems, words)}
    <p class="lead">${changeEmail.text}</p>
    <form method="post">${renderSubmit(changeEmail.submit)}</form>`
  const status = problem ? 429 : 200
  return { kind: 'page', title: changeEmail.title, main, status, hasProblems: problems.length > 0 }
}

function renderGone({ words }: Visit): Answer {
  const { changeEmail, verifyEmail, gone } = words
  const main = html`<h1>${verifyEmail.goneTitle}</h1>
    <p class="lead">${changeEmail.goneText}</p>
    <p><a class="button" href="/account">${gone.account}</a></p>`
  return { kind: 'page', title: verifyEmail.goneTitle, main, status: 410 }
}
