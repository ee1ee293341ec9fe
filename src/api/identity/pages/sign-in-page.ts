import { checkFields, RULES } from './check-fields.ts'
import { describeApiProblem } from './describe-api-problem.ts'
import { html, type SafeHtml } from '#platform/html.ts'
import type { Answer, Page, Visit } from './page.ts'
import {
  findNotice,
  renderField,
  renderNotice,
  renderProblems,
  renderSubmit,
  type Problem,
} from './parts.ts'
import { goOn, withNext } from './go-on.ts'
import { CONSOLE } from './read-next.ts'

export const signInPage: Page = {
  url: '/sign-in',
  async get(visit) {
    const session = await visit.findSession()
    if (!session) return render(visit, {})
    // Who is signed in is asked only where an app wants it shown anew.
    return mustShowAnew(visit) ? render(visit, { email: session.email }) : goOn(visit)
  },
  async post(visit, form) {
    const email = form.text('email').trim()
    const problems = checkFields(
      form,
      { email: RULES.email, password: RULES.password },
      visit.words,
    )
    if (problems.length > 0) return render(visit, { email, problems, status: 422 })
    const body = { email, password: form.text('password') }
    const answer = await visit.callApi({ path: '/sign-in/email', body })
    if (answer.isOk && !needsCode(answer.body)) return goOn(visit)
    if (answer.isOk) return { kind: 'redirect', to: withNext('/sign-in/code', visit) }
    const { status, code } = answer
    const isUnverified = code === 'EMAIL_NOT_VERIFIED'
    if (isUnverified) return render(visit, { email, isUnverified, status })
    const problem = describeApiProblem(answer, visit.words, ['email', 'password'])
    return render(visit, { email, problems: [problem], status })
  },
}

interface State {
  readonly email?: string
  readonly problems?: readonly Problem[]
  readonly isUnverified?: boolean
  readonly status?: number
}

const mustShowAnew = ({ query }: Visit): boolean => query.get('again') === '1'

/** True where a code is asked for, before anybody is signed in. */
export function needsCode(body: unknown): boolean {
  return (body as { readonly twoFactorRedirect?: unknown } | null)?.twoFactorRedirect === true
}

function render(visit: Visit, state: State): Answer {
  const { words, query, request } = visit
  const { email = '', problems = [], isUnverified = false, status = 200 } = state
  const { signIn, common } = words
  const isFresh = request.method !== 'POST'
  const notice = isFresh ? findNotice(signIn.notices, query.get('notice')) : undefined
  const emailField = {
    name: 'email',
    label: common.email,
    type: 'email',
    autocomplete: 'username webauthn',
    value: email,
  } as const
  const passwordField = {
    name: 'password',
    label: common.password,
    type: 'password',
    autocomplete: 'current-password',
  } as const
  const main = html`<h1>${signIn.title}</h1>
    ${renderNotice(notice)} ${mustShowAnew(visit) && isFresh && renderNotice(signIn.again)}
    ${renderProblems(problems, words)} ${isUnverified && renderUnverified(visit, email)}
    <form method="post" novalidate>
      ${renderField(emailField, problems, words)} ${renderField(passwordField, problems, words)}
      <p class="aside"><a href="${withNext('/forgot-password', visit)}">${signIn.forgot}</a></p>
      ${renderSubmit(signIn.submit)}
    </form>
    ${renderPasskey(visit)}
    <p class="below">
      ${signIn.newHere} <a href="${withNext('/sign-up', visit)}">${signIn.signUp}</a>
    </p>`
  return {
    kind: 'page',
    title: signIn.title,
    main,
    status,
    hasProblems: problems.length > 0 || isUnverified,
  }
}

/** Only who knows the password gets here: it tells a stranger nothing. */
function renderUnverified({ words, next }: Visit, email: string): SafeHtml {
  const { signIn } = words
  return html`<div class="problems" role="alert" tabindex="-1" autofocus>
    <p>${signIn.unverified}</p>
    <form method="post" action="/verify-email/resend">
      <input type="hidden" name="email" value="${email}" />
      ${next !== undefined && html`<input type="hidden" name="next" value="${next}" />`}
      <button type="submit">${signIn.resend}</button>
    </form>
  </div>`
}

/** Shown by the script, which is what passkeys need. */
function renderPasskey({ words, next }: Visit): SafeHtml {
  const { passkey, signIn } = words
  return html`<div
    class="passkey"
    hidden
    data-passkey="sign-in"
    data-next="${next ?? CONSOLE}"
    data-failed="${passkey.failed}"
    data-cancelled="${passkey.cancelled}"
    data-waiting="${passkey.waiting}"
  >
    <p class="or"><span>${signIn.or}</span></p>
    <button type="button">${signIn.passkey}</button>
    <p class="passkey-status" role="status"></p>
  </div>`
}
