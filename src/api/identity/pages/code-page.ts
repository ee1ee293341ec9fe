import { checkFields, RULES } from './check-fields.ts'
import { describeApiProblem } from './describe-api-problem.ts'
import { goOn, withNext } from './go-on.ts'
import { html } from '#platform/html.ts'
import type { Answer, Page, Visit } from './page.ts'
import { renderField, renderProblems, renderSubmit, type Problem } from './parts.ts'

/** The second step of signing in: a code of the authenticator app, or one of the recovery codes. */
export const codePage: Page = {
  url: '/sign-in/code',
  get: async (visit) => render(visit),
  async post(visit, form) {
    const problems = checkFields(form, { code: RULES.code }, visit.words)
    if (problems.length > 0) return render(visit, problems, 422)
    const typed = form.text('code').trim()
    const answer = await visit.callApi(
      isRecovery(visit)
        ? { path: '/two-factor/verify-backup-code', body: { code: typed } }
        : // Apps show them in groups.
          { path: '/two-factor/verify-totp', body: { code: typed.replaceAll(/[\s-]/g, '') } },
    )
    if (answer.isOk) return goOn(visit)
    return render(visit, [describeApiProblem(answer, visit.words, ['code'])], answer.status)
  },
}

const isRecovery = ({ query }: Visit): boolean => query.get('with') === 'recovery'

function render(visit: Visit, problems: readonly Problem[] = [], status = 200): Answer {
  const { words } = visit
  const { code, common } = words
  const isWithRecovery = isRecovery(visit)
  const title = isWithRecovery ? code.recoveryTitle : code.title
  const field = isWithRecovery
    ? { label: code.recoveryLabel, hint: code.recoveryHint, autocomplete: 'off' }
    : { label: code.label, autocomplete: 'one-time-code', inputMode: 'numeric' as const }
  const other = withNext('/sign-in/code', visit)
  const recovery = `${other}${other.includes('?') ? '&' : '?'}with=recovery`
  const main = html`<h1>${title}</h1>
    <p class="lead">${isWithRecovery ? code.recoveryText : code.text}</p>
    ${renderProblems(problems, words)}
    <form method="post" novalidate class="code">
      ${renderField({ name: 'code', isFirst: true, ...field }, problems, words)}
      ${renderSubmit(code.submit)}
    </form>
    <ul class="ways">
      <li>
        <a href="${isWithRecovery ? other : recovery}"
          >${isWithRecovery ? code.useCode : code.useRecovery}</a
        >
      </li>
      <li><a href="${withNext('/sign-in', visit)}">${common.backToSignIn}</a></li>
    </ul>`
  return { kind: 'page', title, main, status, hasProblems: problems.length > 0 }
}
