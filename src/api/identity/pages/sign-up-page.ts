import { checkFields, RULES } from './check-fields.ts'
import { renderCheckMail } from './check-mail-page.ts'
import { describeApiProblem } from './describe-api-problem.ts'
import { goOn, rememberNext, withNext } from './go-on.ts'
import { html } from '#platform/html.ts'
import type { Answer, Page, Visit } from './page.ts'
import { renderField, renderProblems, renderSubmit, type Problem } from './parts.ts'
import type { Form } from './read-form.ts'

const FIELDS = { name: RULES.name, email: RULES.email, password: RULES.newPassword }

export const signUpPage: Page = {
  url: '/sign-up',
  async get(visit) {
    return (await visit.findSession()) ? goOn(visit) : render(visit)
  },
  async post(visit, form) {
    const problems = checkFields(form, FIELDS, visit.words)
    if (problems.length > 0) return render(visit, form, problems, 422)
    const [name, email] = [form.text('name').trim(), form.text('email').trim()]
    const body = { name, email, password: form.text('password') }
    const answer = await visit.callApi({ path: '/sign-up/email', body })
    if (!answer.isOk) {
      const problem = describeApiProblem(answer, visit.words, Object.keys(FIELDS))
      return render(visit, form, [problem], answer.status)
    }
    rememberNext(visit)
    // For known addresses as well: their owner gets a mail that says so.
    return renderCheckMail(visit, { email, reason: 'verify' })
  },
}

function render(
  visit: Visit,
  form?: Form,
  problems: readonly Problem[] = [],
  status = 200,
): Answer {
  const { words } = visit
  const { signUp, common } = words
  const value = (name: string): string => form?.text(name) ?? ''
  const fields = [
    { name: 'name', label: signUp.name, autocomplete: 'name', value: value('name') },
    {
      name: 'email',
      label: common.email,
      type: 'email',
      autocomplete: 'username',
      value: value('email'),
    },
    {
      name: 'password',
      label: common.password,
      type: 'password',
      autocomplete: 'new-password',
      hint: signUp.passwordRule,
    },
  ] as const
  const main = html`<h1>${signUp.title}</h1>
    ${renderProblems(problems, words)}
    <form method="post" novalidate>
      ${fields.map((field) => renderField(field, problems, words))} ${renderSubmit(signUp.submit)}
    </form>
    <p class="below">
      ${signUp.haveAccount} <a href="${withNext('/sign-in', visit)}">${signUp.signIn}</a>
    </p>`
  return { kind: 'page', title: signUp.title, main, status, hasProblems: problems.length > 0 }
}
