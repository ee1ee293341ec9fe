import { describeApiProblem } from './describe-api-problem.ts'
import { html } from '#platform/html.ts'
import type { Answer, Page, Visit } from './page.ts'
import { renderProblems, renderSubmit, type Problem } from './parts.ts'
import { readToken } from './read-token.ts'

/**
 * Where two links lead: the one to somebody's old address, which asks whether they want it changed,
 * and the one to their new address, which shows that it is theirs.
 */
export const changeEmailPage: Page = {
  url: '/change-email',
  async get(visit) {
    const token = readToken(visit.query)
    return token === undefined ? renderGone(visit) : renderButton(visit, token)
  },
  async post(visit) {
    const token = readToken(visit.query)
    if (token === undefined) return renderGone(visit)
    const answer = await visit.callApi({ path: `/verify-email?token=${token}` })
    if (answer.isOk) return isChanged(answer.body) ? goOn(visit) : renderCheckNewAddress(visit)
    const { changeEmail } = visit.words
    if (answer.code === 'ADDRESS_TAKEN') return renderButton(visit, token, changeEmail.taken)
    if (answer.status < 429) return renderGone(visit)
    return renderButton(visit, token, describeApiProblem(answer, visit.words, []).text)
  },
}

/** The first of the two links is answered without a person: nothing is changed yet. */
function isChanged(body: unknown): boolean {
  return Boolean((body as { readonly user?: unknown } | null)?.user)
}

async function goOn({ findSession }: Visit): Promise<Answer> {
  const page = (await findSession()) ? '/account' : '/sign-in'
  return { kind: 'redirect', to: `${page}?notice=emailChanged` }
}

function renderButton({ words }: Visit, token: string, problem?: string): Answer {
  const { changeEmail } = words
  const isFirst = readKind(token) === 'change-email-confirmation'
  const title = isFirst ? changeEmail.allowTitle : changeEmail.title
  const problems: Problem[] = problem === undefined ? [] : [{ text: problem }]
  const main = html`<h1>${title}</h1>
    ${renderProblems(problems, words)}
    <p class="lead">${isFirst ? changeEmail.allowText : changeEmail.text}</p>
    <form method="post">${renderSubmit(isFirst ? changeEmail.allow : changeEmail.submit)}</form>`
  const hasProblems = problems.length > 0
  return { kind: 'page', title, main, status: hasProblems ? 422 : 200, hasProblems }
}

/** What the token says that it is for. It is not verified here: only our words depend on it. */
function readKind(token: string): unknown {
  try {
    const payload = Buffer.from(token.split('.', 2)[1] ?? '', 'base64url').toString('utf8')
    return (JSON.parse(payload) as { readonly requestType?: unknown } | null)?.requestType
  } catch {
    return undefined
  }
}

function renderCheckNewAddress({ words }: Visit): Answer {
  const { checkMail, gone } = words
  const main = html`<h1>${checkMail.title}</h1>
    <p class="lead">${checkMail.changeText}</p>
    <p class="below"><a href="/account">${gone.account}</a></p>`
  return { kind: 'page', title: checkMail.title, main }
}

function renderGone({ words }: Visit): Answer {
  const { changeEmail, verifyEmail, gone } = words
  const main = html`<h1>${verifyEmail.goneTitle}</h1>
    <p class="lead">${changeEmail.goneText}</p>
    <p><a class="button main-action" href="/account">${gone.account}</a></p>`
  return { kind: 'page', title: verifyEmail.goneTitle, main, status: 410 }
}
