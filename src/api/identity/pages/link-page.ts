import { LINK_PATH, SIGN_IN_BY_LINK } from '#identity/index.ts'
import { describeApiProblem } from './describe-api-problem.ts'
import { goOn, withNext } from './go-on.ts'
import { html } from '#platform/html.ts'
import type { Answer, Page, Visit } from './page.ts'
import { renderProblems, renderSubmit, type Problem } from './parts.ts'
import { needsCode } from './sign-in-page.ts'

/**
 * Where a link leads that signs somebody in. Opening it does nothing yet: programs through which it is
 * sent open links too, and must not use them up.
 */
export const linkPage: Page = {
  url: `${LINK_PATH}/:token`,
  async get(visit) {
    return render(visit)
  },
  async post(visit) {
    const answer = await visit.callApi({ path: SIGN_IN_BY_LINK, body: { token: readToken(visit) } })
    if (answer.isOk && needsCode(answer.body)) {
      return { kind: 'redirect', to: withNext('/sign-in/code', visit) }
    }
    if (answer.isOk) return goOn(visit)
    // What is over, or was never a link, is told as it is when it is opened.
    if (answer.status < 429) return render(visit)
    const problem = describeApiProblem(answer, visit.words, [])
    return render(visit, { problems: [problem], status: answer.status })
  },
}

interface State {
  readonly problems?: readonly Problem[]
  readonly status?: number
}

const readToken = ({ request }: Visit): string =>
  (request.params as { readonly token: string }).token

async function render(visit: Visit, { problems = [], status = 200 }: State = {}): Promise<Answer> {
  const { identity, persons, words, reply } = visit
  // The page's own address opens a session: not even we are told it by what is loaded from here.
  reply.header('referrer-policy', 'strict-origin')
  const found = await identity.signInLinks.find(readToken(visit))
  const person = found.kind === 'good' ? await persons.find(found.personId) : undefined
  if (!person) return renderGone(visit, found.kind === 'unknown' ? 404 : 410)
  const { link, signIn } = words
  const main = html`<h1>${link.title}</h1>
    ${renderProblems(problems, words)}
    <p class="lead">${link.text} <strong class="address">${person.email}</strong>.</p>
    <form method="post">${renderSubmit(signIn.submit)}</form>
    <p class="fine">${link.once}</p>`
  return { kind: 'page', title: link.title, main, status, hasProblems: problems.length > 0 }
}

function renderGone({ words }: Visit, status: number): Answer {
  const { verifyEmail, link } = words
  const main = html`<h1>${verifyEmail.goneTitle}</h1>
    <p class="lead">${link.goneText}</p>
    <p>${link.goneHow}</p>
    <p class="details"><code>npx parley person link EMAIL</code></p>
    <p><a class="button main-action" href="/sign-in">${link.orSignIn}</a></p>`
  return { kind: 'page', title: verifyEmail.goneTitle, main, status }
}
